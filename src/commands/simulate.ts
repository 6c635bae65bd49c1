// `rounds simulate`. tools/simulate/options.ts reads and checks its options.
import { readTokenSource } from '../config/config.ts'
import { defineCommand, mustHaveNoArguments } from './command.ts'
import { stopSignal } from './signals.ts'

export const SIMULATE_HELP = `rounds simulate [OPTIONS]: patients' devices and diaries that send readings to a running Rounds, and a proof that each arrived.

Simulated patients (simulated-SEED-0001 and so on, all invented) take heart rate, blood pressure, blood glucose, body weight,
body temperature and symptoms, with the rhythm of the day, noise, days of fever, and gaps where a wristband was not charged.
Their phones send what was taken every few simulated hours, through the typed client, its queue and its retries. Days pass as
fast as the service answers. At the end everything is read back: each reading must be stored exactly once, to the letter, and
no other. The exit code is 0 when that is proven, else 1.

  --patients NUMBER         how many patients (10)
  --days NUMBER             how many days of each (7)
  --from DATE               the first day (2026-01-01)
  --seed NUMBER             another seed, other patients (1)
  --rate NUMBER             readings a second at most, all patients together (as fast as it goes)
  --url URL                 where Rounds answers; readings go to URL/casesheet (http://127.0.0.1:8080)

Faults on purpose (none). They change how readings travel, never the readings:
  --duplicates SHARE        that share of the readings, such as 5%, is sent a second time up to six hours later
  --late TIME               one reading in four leaves its phone up to TIME (90s, 30m, 2h, 1d) after it was taken, by the
                            simulated clock, so it arrives after readings that were taken later
  --out-of-order            the sends of a day, and the readings in each, go in random order
  --drop-answers SHARE      that share of the answers to adds and corrections is thrown away after the service has committed, so that the
                            client must send again

Corrections (none). The proof at the end expects each reading as withdrawn or present as it was left:
  --withdraw SHARE          that share of the readings is withdrawn once it is stored, and every second one of them restored

With --follow a service reads readings/changes meanwhile and builds a copy; at the end the copy must be what readings/get
gives, reading by reading:
  --follow                  follow every change, with a token that has the scope readings:changes

The readings of a patient on a day follow from the seed, the number of the patient and the date alone. A second run therefore
sends the very same readings, stores nothing new and proves itself again; and a longer run contains a shorter one.

A call that fails is repeated for two minutes, so the service may be restarted meanwhile. Ctrl-C ends it and reports what was
done so far. Progress goes to standard error, the report to standard output. About 200 requests for 30 days of a patient:
beyond 90 days the rate limit of the service (600 a minute) makes them wait.

Tokens that name the patients come from the "rounds dev" that runs on the port of --url.

Optional, for another issuer that issues tokens for any patient:
  AUTH_ISSUER               its address, as for "rounds serve"
  AUTH_CLIENT_SECRET        the secret of its client
  AUTH_CLIENT_ID            its client (rounds-dev)

Examples:
  npx rounds simulate --patients 3 --days 2 --seed 7
  npx rounds simulate --patients 5 --days 2 --follow --withdraw 10% --drop-answers 10%
  npx rounds simulate --patients 20 --days 7 --duplicates 5% --late 2h --out-of-order --drop-answers 2%
`

export const simulateCommand = defineCommand({
  summary:
    'rounds simulate                 send the readings of simulated patients, and prove that each is stored exactly once',
  help: SIMULATE_HELP,
  options: {
    patients: { type: 'string' },
    days: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    rate: { type: 'string' },
    url: { type: 'string' },
    duplicates: { type: 'string' },
    late: { type: 'string' },
    'out-of-order': { type: 'boolean' },
    'drop-answers': { type: 'string' },
    withdraw: { type: 'string' },
    follow: { type: 'boolean' },
  },
  isOfAClone: true,
  async run({ args, options }, { env, errors, output }) {
    mustHaveNoArguments('simulate', args)
    const [{ readSimulation }, { simulate }, { describeReport }, { findRunningIssuer }, { requestToken }] =
      await Promise.all([
        import('../../tools/simulate/options.ts'),
        import('../../tools/simulate/simulate.ts'),
        import('../../tools/simulate/report.ts'),
        import('../../tools/dev/running-issuer.ts'),
        import('../../tools/dev/request-token.ts'),
      ])
    const simulation = readSimulation(options)
    const issuer = env['AUTH_ISSUER']
      ? readTokenSource(env)
      : await findRunningIssuer(Number(new URL(simulation.url).port))
    const done = await simulate(simulation, {
      requestToken: (patientUid) => requestToken(issuer, { patientUids: [patientUid] }),
      requestServiceToken: () => requestToken(issuer, { scopes: ['readings:changes'] }),
      progress: errors,
      stopping: stopSignal(env),
    })
    output.write(`${describeReport(done)}\n`)
    if (done.end !== 'proven') process.exitCode = 1
    return ''
  },
})
