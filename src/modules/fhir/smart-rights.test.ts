// What scopes of SMART let a token do: each form of a scope for a token that names its patient and for one that names none, and
// each set of claims with a scope for everything; at each operation, in a process with FHIR, in one without it, and in ones whose
// issuer gives user/ scopes to clinicians alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rounds, startRounds } from '../../../test/support/harness.ts'
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

type Right = { own: string; every: string }

function isAllowed({ needs, patientUid }: Operation, namesOwn: boolean, { own, every }: Right): boolean {
  // What is shared with doctors is for those alone whom the token names.
  if (needs === 'own s') return namesOwn && own.includes('s')
  if (namesOwn && patientUid === OWN && own.includes(needs)) return true
  // Who reads every patient must be allowed to read and to search, and adds or changes nothing.
  return 'rs'.includes(needs) && every.includes('r') && every.includes('s')
}

async function statusOf(rounds: Rounds, token: string, { path, body }: Operation): Promise<number> {
  const headers = path.startsWith('/fhir') ? { 'content-type': 'application/fhir+json' } : {}
  const options = body === undefined ? { token } : { token, body, headers }
  return (await rounds.call(path, options)).status
}

const PROCESSES = [
  { name: 'where FHIR is served', settings: { MODULES: 'casesheet,fhir' }, every: 'asGiven' },
  { name: 'where FHIR is not served', settings: { MODULES: 'casesheet' }, every: 'never' },
  {
    name: 'where FHIR is not served, and user/ scopes are those of clinicians',
    settings: { MODULES: 'casesheet', AUTH_SMART_USERS_ARE_STAFF: 'true' },
    every: 'never',
  },
  {
    name: 'where FHIR is served, and user/ scopes are those of clinicians',
    settings: { MODULES: 'casesheet,fhir', AUTH_SMART_USERS_ARE_STAFF: 'true' },
    every: 'ifStaff',
  },
] as const

const FORMS_WITH: Record<string, unknown>[] = [{ fhirUser: PRACTITIONER }, { patientUid: OWN }]
const EVERYTHING = 'KIND/Observation.cruds'

function casesOf(kind: string) {
  return OF_SCOPES.flatMap(([form, letters]) =>
    OF_CLAIMS.filter(
      ([claims]) =>
        form === EVERYTHING || FORMS_WITH.some((with_) => JSON.stringify(with_) === JSON.stringify(claims)),
    ).map((claims) => ({
      scope: form.replaceAll('KIND', kind),
      isSmart: form.includes('KIND'),
      letters,
      claims,
    })),
  )
}

for (const { name, settings, every: when } of PROCESSES) {
  const rounds = await startRounds(settings)
  const operations = await prepare(rounds, settings.MODULES.includes('fhir'))
  for (const kind of ['patient', 'user', 'system', 'launch/patient user', 'launch/patient system']) {
    test(`${kind}/ ${name}`, async () => {
      for (const { scope, isSmart, letters, claims: ofClaims } of casesOf(kind)) {
        const [claims, given, givenIfStaff] = ofClaims
        const kinds: Record<typeof when, string[]> = { asGiven: given, ifStaff: givenIfStaff, never: [] }
        // A scope launch/patient says that there is a patient in context, as the claim does.
        const isForEvery = kind.startsWith('launch')
          ? when === 'ifStaff' && kind.endsWith('user') && kinds[when].includes('user')
          : kinds[when].includes(kind)
        const right = { own: letters, every: isSmart && isForEvery ? letters : '' }
        const namesOwn = claims['patientUid'] === OWN
        const token = await rounds.token({ ...claims, scope, sub: `${kind} ${JSON.stringify(claims)}` })
        const statuses = await Promise.all(operations.map((each) => statusOf(rounds, token, each)))
        assert.deepEqual(
          statuses.map((status) => (status < 300 ? 2 : status)),
          operations.map((operation) => (isAllowed(operation, namesOwn, right) ? 2 : 403)),
          `${scope} with ${JSON.stringify(claims)}: ${statuses.join()}`,
        )
      }
    })
  }
}
