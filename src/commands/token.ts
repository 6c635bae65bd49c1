// `rounds token`.
import { ConfigError, readAuthConfig } from '../config/config.ts'
import { type Deps, defineCommand, mustHaveNoArguments, readPort, readWholeNumber } from './command.ts'

const HELP = `rounds token --patient UID | --doctor ID | --staff | --scope NAME: print an access token from the issuer of the "rounds dev" that is running.
rounds token check TOKEN: explain whether a server with these settings accepts a token, check by check.

  --patient UID             a patient that the token names; again for each further one, for a parent or carer
  --doctor ID               a doctor, as doctors/list names them: a token that may read what patients share with that doctor
  --staff                   a token that may read the readings of every patient, and add none
  --scope NAME              the token of a service, with this scope; again for each further one: readings:changes (follow every
                            change of every patient), readings:withdraw (withdraw readings of every patient), readings:read
                            (as --staff), webhooks:manage (have changes sent elsewhere), or one of SMART on FHIR
                            (system/Observation.rs, user/Observation.rs …). With --patient only of SMART, to limit the
                            token: patient/Observation.rs
  --client                  print the id and the secret of the client for token exchange (RFC 8693) instead, for curl -u
  --port PORT               the port of the "rounds dev" to ask, where several are running
  --expires-in SECONDS      how long the token is valid, from 1 second to 12 hours (43200)

A token is valid as long as its "rounds dev" runs, at most. Only the token is printed. Where several are running and none is
chosen, it prints none, says so on standard error, and ends with 2.

check takes any token, also in production. It prints the names of its claims, the issuer, the audience and the times, and
nothing else of it, and ends with 0 if a server would accept the token, else with 1. With - for TOKEN it reads standard input,
so that the token does not stay in the history of your shell.

Needed for check, as for "rounds serve" (which see for AUTH_JWKS_URL, AUTH_ALLOW_HTTP, AUTH_TOKEN_TYPE, AUTH_PATIENT_CLAIM and
AUTH_STAFF_SCOPE):
  AUTH_ISSUER               address of the token issuer, as in the "iss" of its tokens; several separated by commas
  AUTH_AUDIENCE             the "aud" that tokens for this service carry

Optional:
  TMPDIR                    as it was for "rounds dev" (/tmp)

Examples:
  npx rounds token --patient patient-1
  curl -H "Authorization: Bearer $(npx rounds token --patient child-1 --patient child-2)" 'http://127.0.0.1:8080/casesheet/readings/get?patientUid=child-2'
  npx rounds token --scope readings:changes
  AUTH_ISSUER=https://id.example AUTH_AUDIENCE=rounds npx rounds token check - < token.txt
`

export const tokenCommand = defineCommand({
  summary: `rounds token --patient UID      another token from the issuer of "rounds dev" (--doctor, --staff, --scope: for others)
  rounds token check TOKEN        explain why a token is accepted or refused`,
  help: HELP,
  options: {
    patient: { type: 'string', multiple: true },
    doctor: { type: 'string' },
    staff: { type: 'boolean' },
    scope: { type: 'string', multiple: true },
    client: { type: 'boolean' },
    port: { type: 'string' },
    'expires-in': { type: 'string' },
  },
  isOfAClone: true,
  async run({ args: [verb, ...args], options }, deps) {
    if (verb === 'check') return check(args, Object.keys(options).length, deps)
    mustHaveNoArguments('token', verb === undefined ? [] : [verb])
    const { patient: patientUids = [], scope: scopes = [], doctor: doctorId, staff, client } = options
    const isAboutPatient = patientUids.length > 0 || scopes.length > 0
    const holders = [isAboutPatient, doctorId !== undefined, staff === true, client === true]
    if (holders.filter(Boolean).length !== 1 || patientUids.includes('') || doctorId === '') {
      throw new ConfigError(
        'Say "rounds token --patient UID", once for each patient, or --doctor ID, --staff, or --scope NAME instead.',
      )
    }
    const port = readPort(options.port)
    const expiresIn = readWholeNumber(options['expires-in'], { name: '--expires-in', min: 1, max: 43_200 })
    const [{ findRunningIssuer }, { requestToken, SCOPES }, { isSmartScope }] = await Promise.all([
      import('../../tools/dev/running-issuer.ts'),
      import('../../tools/dev/request-token.ts'),
      import('../../tools/dev/smart-scopes.ts'),
    ])
    const known = patientUids.length > 0 ? [] : SCOPES
    const unknown = scopes.find((scope) => !known.includes(scope) && !isSmartScope(scope))
    if (unknown !== undefined) {
      const right = [...known, 'those of SMART, such as patient/Observation.rs'].join(', ')
      throw new ConfigError(
        `There is no scope "${unknown}"${known.length > 0 ? '' : ' for patients'}. The scopes are ${right}.`,
      )
    }
    const issuer = await findRunningIssuer(port)
    if (client) return `${issuer.clientId}:${issuer.clientSecret}`
    const holder = doctorId === undefined ? { patientUids, scopes } : { doctorId }
    return requestToken(issuer, staff ? 'staff' : holder, expiresIn)
  },
})

async function check(
  [given, ...others]: string[],
  optionsCount: number,
  { env, input }: Deps,
): Promise<string> {
  if (given === undefined || others.length > 0 || optionsCount > 0)
    throw new ConfigError('Say "rounds token check TOKEN", or "rounds token check -" to read standard input.')
  const auth = readAuthConfig(env)
  const text = given === '-' ? await readSome(input) : given
  // As it is copied out of a request, with the header around it.
  const token = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, '')
  const { explainToken } = await import('./explain-token.ts')
  const { text: explanation, isAccepted } = await explainToken(token, auth, Date.now())
  if (!isAccepted) process.exitCode = 1
  return explanation
}

const MAX_INPUT_CHARS = 65_536

/** Standard input to its end, or as much of it as a token could take. */
async function readSome(input: Deps['input']): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_INPUT_CHARS) break
  }
  return text
}
