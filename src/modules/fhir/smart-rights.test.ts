// What scopes of SMART let a token do, in a process with FHIR, in one without it, and in ones whose issuer gives user/ scopes to clinicians
// alone: the rights that each form of a scope has with each set of claims, and what each right that there is may do at each operation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rounds, startRounds } from '../../../test/support/harness.ts'
import { readAuthConfig } from '../../config/config.ts'
import { callerFrom } from '../../http/tokens/tokens.ts'
import { readingToObservation } from './observation/reading-to-observation.ts'

const [OWN, OTHER] = ['patient-own', 'patient-other']
const READING = { patientUid: OWN, readingType: 'heartRate', value: 70, timestamp: 1_762_000_000 }

/** What a token may do with the readings of the patients that it names: read one, search, add (create), change (update). */
const OF_SCOPES: [scope: string, letters: string][] = [
  ['openid profile', 'rscu'],
  ['user/profile', 'rscu'],
  ['Observation.rs', 'rscu'],
  ['KIND/Observation.rs', 'rs'],
  ['KIND/Observation.r', 'r'],
  ['KIND/Observation.s', 's'],
  ['KIND/Observation.c', 'c'],
  ['KIND/Observation.u', 'u'],
  ['KIND/Observation.d', ''],
  ['KIND/Observation.cruds', 'rscu'],
  ['KIND/*.rs', 'rs'],
  ['KIND/Observation.read', 'rs'],
  ['KIND/Observation.write', 'cu'],
  ['KIND/*.*', 'rscu'],
  ['KIND/Observation.*', 'rscu'],
  ['openid KIND/Observation.r KIND/Observation.s', 'rs'],
  ['KIND/Observation.rs?category=vital-signs', ''],
  ['KIND/Observation.sr', ''],
  ['KIND/Observation.rs,c', ''],
  ['KIND/Observation', ''],
  ['KIND/observation.rs', ''],
  ['KIND/Condition.cruds', ''],
]

const PRACTITIONER = 'https://ehr.example/fhir/Practitioner/1'

/** Which kinds of scopes are then about every patient: with FHIR, and with AUTH_SMART_USERS_ARE_STAFF too. */
const OF_CLAIMS: [claims: Record<string, unknown>, every: string[], everyIfStaff: string[]][] = [
  [{}, ['system'], ['user', 'system']],
  [{ fhirUser: PRACTITIONER }, ['user', 'system'], ['user', 'system']],
  [{ fhirUser: 'PractitionerRole/a-1.b' }, ['user', 'system'], ['user', 'system']],
  // A patient in the context of a launch, under a claim that is not read.
  [{ patient: OWN }, [], ['user']],
  [{ patient: OWN, fhirUser: PRACTITIONER }, [], ['user']],
  [{ patient: '' }, [], ['user']],
  [{ patient: null }, [], ['user']],
  // Another person, or nobody can say who.
  [{ fhirUser: `https://ehr.example/fhir/Patient/${OWN}` }, [], []],
  [{ fhirUser: 'RelatedPerson/1' }, [], []],
  [{ fhirUser: 'Practitioner/' }, [], []],
  [{ fhirUser: 'Practitioner' }, [], []],
  [{ fhirUser: 'Practitioner/1/x' }, [], []],
  [{ fhirUser: 'Practitioner/1 ' }, [], []],
  [{ fhirUser: 'Practitioner/1\nPatient/2' }, [], []],
  [{ fhirUser: 'x/Practitioner/1' }, [], []],
  [{ fhirUser: 'https://ehr.example/Patient/1?x=/Practitioner/1' }, [], []],
  [{ fhirUser: 'https://ehr.example/Patient/1#/Practitioner/1' }, [], []],
  [{ fhirUser: ['Practitioner/1'] }, [], []],
  [{ fhirUser: null }, [], []],
  [{ fhirUser: '' }, [], []],
  // The patients are named: the token is theirs, whoever its user is.
  [{ patientUid: OWN }, [], []],
  [{ patientUid: OWN, fhirUser: PRACTITIONER }, [], []],
  [{ patientUid: OWN, patient: OTHER }, [], []],
  [{ patientUid: '', fhirUser: PRACTITIONER }, [], []],
  [{ patientUid: null }, [], []],
]

type Operation = { needs: string; patientUid: string; path: string; body?: unknown }

const get = (needs: string, path: string, patientUid = OWN): Operation => ({ needs, patientUid, path })
const post = (needs: string, path: string, body: unknown): Operation => ({
  needs,
  patientUid: OWN,
  path,
  body,
})

function operationsOf(named: object, hasFhir: boolean, location: string): Operation[] {
  const ofReadings = [
    get('s', `/casesheet/readings/get?patientUid=${OWN}`),
    get('s', `/casesheet/readings/get?patientUid=${OTHER}`, OTHER),
    get('s', `/casesheet/readings/latest?patientUid=${OWN}`),
    get('s', `/casesheet/readings/statistics?patientUid=${OWN}&readingType=heartRate&from=0&to=1`),
    get('s', `/casesheet/readings/access-log?patientUid=${OWN}&limit=1`),
    get('s', `/casesheet/readings/stream?patientUid=${OWN}`),
    post('c', '/casesheet/readings/add', READING),
    post('u', '/casesheet/readings/withdraw', named),
    post('u', '/casesheet/readings/restore', named),
    get('never', '/casesheet/readings/changes'),
  ]
  const ofFhir = [
    get('s', `/fhir/Observation?patient=${OWN}`),
    get('s', `/fhir/Observation?patient=${OTHER}`, OTHER),
    get('r', location),
    get('r', `/fhir/Patient/${OWN}`),
    get('r', `/fhir/Patient/${OTHER}`, OTHER),
    get('s', `/fhir/Patient?_id=${OWN}`),
    get('s', `/fhir/Patient/${OWN}/Observation`),
    get('s', `/fhir/Patient/${OTHER}/Observation`, OTHER),
    get('s', `/fhir/Observation/$lastn?patient=${OTHER}`, OTHER),
    get('own s', '/casesheet/grants/list'),
    post('c', '/fhir/Observation', readingToObservation(READING)),
  ]
  return hasFhir ? [...ofReadings, ...ofFhir] : ofReadings
}

async function prepare(rounds: Rounds, hasFhir: boolean): Promise<Operation[]> {
  const token = await rounds.token({ patientUid: [OWN, OTHER] })
  for (const patientUid of [OWN, OTHER])
    await rounds.call('/casesheet/readings/add', { token, body: { ...READING, patientUid } })
  const { json } = await rounds.call(`/casesheet/readings/get?patientUid=${OWN}`, { token })
  const [reading] = json.data
  const named = { patientUid: OWN, readingId: reading?.['readingId'], timestamp: READING.timestamp }
  // A withdrawn reading is not found by its id.
  const body = readingToObservation({ ...READING, timestamp: READING.timestamp + 1 })
  const headers = { 'content-type': 'application/fhir+json' }
  const stored = hasFhir
    ? await rounds.call('/fhir/Observation', { token, body, headers })
    : { headers: new Headers() }
  const location = stored.headers.get('location')
  return operationsOf(named, hasFhir, location === null ? '' : new URL(location).pathname)
}

/** What a token may do with the patients that it names, and whether it reads every patient. */
type Right = { own: string; isStaff: boolean }

function isAllowed({ needs, patientUid }: Operation, namesOwn: boolean, { own, isStaff }: Right): boolean {
  // What is shared with doctors is for those alone whom the token names.
  if (needs === 'own s') return namesOwn && own.includes('s')
  if (namesOwn && patientUid === OWN && own.includes(needs)) return true
  return 'rs'.includes(needs) && isStaff
}

async function statusOf(rounds: Rounds, token: string, { path, body }: Operation): Promise<number> {
  const headers = path.startsWith('/fhir') ? { 'content-type': 'application/fhir+json' } : {}
  const options = body === undefined ? { token } : { token, body, headers }
  return (await rounds.call(path, options)).status
}

const STAFF = { AUTH_SMART_USERS_ARE_STAFF: 'true' }
const PROCESSES = [
  { name: 'where FHIR is served', settings: { MODULES: 'casesheet,fhir' }, usersAreStaff: false },
  { name: 'where FHIR is not served', settings: { MODULES: 'casesheet' }, usersAreStaff: false },
  {
    name: 'where FHIR is not served, and user/ scopes are those of clinicians',
    settings: { MODULES: 'casesheet', ...STAFF },
    usersAreStaff: true,
  },
  {
    name: 'where FHIR is served, and user/ scopes are those of clinicians',
    settings: { MODULES: 'casesheet,fhir', ...STAFF },
    usersAreStaff: true,
  },
]

const KINDS = ['patient', 'user', 'system', 'launch/patient user', 'launch/patient system']

type Case = { scope: string; claims: Record<string, unknown>; right: Right }

/** Each form of a scope of each kind with each set of claims. */
const casesWhen = ({ usersAreStaff, hasFhir }: { usersAreStaff: boolean; hasFhir: boolean }): Case[] =>
  KINDS.flatMap((kind) =>
    OF_SCOPES.flatMap(([form, letters]) =>
      OF_CLAIMS.map(([claims, given, givenIfStaff]) => {
        const kinds = usersAreStaff ? givenIfStaff : given
        // A scope launch/patient says that there is a patient in context, as the claim does.
        const isForEvery = kind.startsWith('launch')
          ? usersAreStaff && kind.endsWith('user') && kinds.includes('user')
          : kinds.includes(kind)
        const ofEvery = form.includes('KIND') && isForEvery ? letters : ''
        const right = { own: ofEvery === '' ? letters : '', isStaff: hasFhir && ofEvery.includes('rs') }
        return { scope: form.replaceAll('KIND', kind), claims, right }
      }),
    ),
  )

/** Several scopes, where FHIR is served: those of Rounds count beside those of SMART, and a patient in any of them is in context. */
const MIXED: [claims: Record<string, unknown>, scope: string, own: string, isStaff: boolean][] = [
  [{}, 'readings:read', 'rscu', true],
  [{ patientUid: OWN }, 'readings:read patient/Observation.c', 'c', true],
  [{ patientUid: OWN }, 'patient/Observation.c user/Observation.rs', 'rsc', false],
  [{ patientUid: OWN }, 'launch/patient patient/Observation.rs system/Observation.rs', 'rs', false],
  [{ patientUid: OWN }, 'system/', 'rscu', false],
  [{ patient: OWN }, 'launch/patient patient/Observation.rs user/Observation.rs', 'rs', false],
  [{}, 'patient/Observation.rs user/Observation.rs', 'rs', false],
  [{}, 'user/Observation.cruds patient/Condition.r', 'rscu', false],
  [{}, 'launch user/Observation.rs', 'rs', false],
  [{ fhirUser: 'Practitioner/1' }, 'launch user/*.read', '', true],
]

const LETTERS = { r: 'read', s: 'search', c: 'add', u: 'change' } as const

for (const { name, settings, usersAreStaff } of PROCESSES) {
  const hasFhir = settings.MODULES.includes('fhir')
  const mixed = MIXED.map(([claims, scope, own, isStaff]) => ({ scope, claims, right: { own, isStaff } }))
  const cases = [...casesWhen({ usersAreStaff, hasFhir }), ...(hasFhir && !usersAreStaff ? mixed : [])]

  test(`each scope grants what it says, ${name}`, () => {
    const auth = readAuthConfig({ AUTH_ISSUER: 'https://issuer.example', AUTH_AUDIENCE: 'a', ...settings })
    for (const { scope, claims, right } of cases) {
      const { own, isStaff } = callerFrom({ sub: 'somebody', ...claims, scope }, auth)
      const letters = Object.entries(LETTERS).flatMap(([letter, may]) => (own[may] ? [letter] : []))
      assert.deepEqual({ own: letters.join(''), isStaff }, right, `${scope} with ${JSON.stringify(claims)}`)
    }
  })

  test(`each right is enough for what it says and nothing else, ${name}`, async () => {
    const rounds = await startRounds(settings)
    const operations = await prepare(rounds, hasFhir)
    const tried = new Map(
      cases.map((one) => [JSON.stringify([one.right, one.claims['patientUid'] === OWN]), one]),
    )
    assert.ok(tried.size >= 14)
    for (const [right, { scope, claims, right: expected }] of tried) {
      const token = await rounds.token({ ...claims, scope, sub: right })
      const statuses = await Promise.all(operations.map((each) => statusOf(rounds, token, each)))
      assert.deepEqual(
        statuses.map((status) => (status < 300 ? 2 : status)),
        operations.map((operation) =>
          isAllowed(operation, claims['patientUid'] === OWN, expected) ? 2 : 403,
        ),
        `${scope} with ${JSON.stringify(claims)}: ${statuses.join()}`,
      )
    }
    if (!hasFhir) assert.equal((await rounds.call('/fhir/metadata')).status, 404)
  })
}
