// `rounds token`.
import { ConfigError } from '../config/config.ts'
import { defineCommand, mustHaveNoArguments, readPort, readWholeNumber } from './command.ts'

const HELP = `rounds token --patient UID | --staff: print an access token from the issuer of the "rounds dev" that is running.

  --patient UID             a patient that the token names; again for each further one, for a parent or carer
  --staff                   a token that may read the readings of every patient, and add none
  --port PORT               the port of the "rounds dev" to ask, where several are running

  --expires-in SECONDS      how long the token is valid, from 1 second to 12 hours (43200)

A token is valid as long as its "rounds dev" runs, at most. Only the token is printed.

Optional:
  TMPDIR                    as it was for "rounds dev" (/tmp)

Examples:
  npx rounds token --patient patient-1
  curl -H "Authorization: Bearer $(npx rounds token --patient child-1 --patient child-2)" 'http://127.0.0.1:8080/casesheet/readings/get?patientUid=child-2'
`

export const tokenCommand = defineCommand({
  summary:
    'rounds token --patient UID      another token from the issuer of "rounds dev" (--staff: for staff)',
  help: HELP,
  options: {
    patient: { type: 'string', multiple: true },
    staff: { type: 'boolean' },
    port: { type: 'string' },
    'expires-in': { type: 'string' },
  },
  isOfAClone: true,
  async run({ args, options }) {
    mustHaveNoArguments('token', args)
    const patientUids = options.patient ?? []
    if (options.staff ? patientUids.length > 0 : patientUids.length === 0 || patientUids.includes('')) {
      throw new ConfigError(
        'Say "rounds token --patient UID", once for each patient, or "rounds token --staff".',
      )
    }
    const port = readPort(options.port)
    const expiresIn = readWholeNumber(options['expires-in'], { name: '--expires-in', min: 1, max: 43_200 })
    const [{ findRunningIssuer }, { requestToken }] = await Promise.all([
      import('../../tools/dev/running-issuer.ts'),
      import('../../tools/dev/request-token.ts'),
    ])
    const issuer = await findRunningIssuer(port)
    return requestToken(issuer, options.staff ? 'staff' : { patientUids }, expiresIn)
  },
})
