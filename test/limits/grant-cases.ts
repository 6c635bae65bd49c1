// Grants at their largest: those that a patient gives, the doctor's list of patients, and what a doctor reads by them.
import { type Callers, type Case, type Get, gets } from './case.ts'
import type { LimitsStage } from './stage.ts'

const NAME = '😀'.repeat(100)
const TYPES = Array.from({ length: 50 }, (_, nth) => `type-${nth}`.padEnd(64, 'x'))
const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
const read = (operation: string, uid: string, more = '') =>
  `/casesheet/readings/${operation}?patientUid=${uid}${more}`

const GRANTS: Get[] = [
  ['100 grants of 50 types', '/casesheet/grants/list', 'sharing', 200],
  ['a cursor of 6 KB', `/casesheet/grants/list?cursor=${'A'.repeat(6_000)}`, 'sharing', 400],
]
const HISTORY: Get[] = [
  ['a page of 5,000 changes', '/casesheet/grants/history', 'sharing', 200],
  ['a cursor of 6 KB', `/casesheet/grants/history?cursor=${'A'.repeat(6_000)}`, 'sharing', 400],
]
const PATIENTS: Get[] = [
  ['a page of 20,000 patients', '/casesheet/patients/list', 'doctor', 200],
  [
    'a cursor made by hand',
    `/casesheet/patients/list?cursor=${cursor('invented 9', 'x'.repeat(128))}`,
    'doctor',
    200,
  ],
  ['behind 20,000 grants that have expired', '/casesheet/patients/list', 'formerDoctor', 200],
  ['a cursor of 6 KB', `/casesheet/patients/list?cursor=${'A'.repeat(6_000)}`, 'doctor', 400],
]
const MINE: Get[] = [
  ['the first 2,000 of 20,000 patients', '/care/patients/list?limit=100', 'doctor', 200],
  [
    'all filters',
    '/care/patients/list?limit=100&find=invented&sort=lastLook&queue=notJudged&queue=fine',
    'doctor',
    200,
  ],
  [
    'a name of 100 characters',
    `/care/patients/list?find=${encodeURIComponent('ﷺ'.repeat(100))}`,
    'doctor',
    200,
  ],
  ['a cursor of 6 KB', `/care/patients/list?cursor=${'A'.repeat(6_000)}`, 'doctor', 400],
  ['a patient of 6 KB', `/care/patients/list?patientUid=${'A'.repeat(6_000)}`, 'doctor', 400],
]
const READS: [operation: string, rows: Get[]][] = [
  [
    'readings/get by a doctor',
    [
      ['a page of readings of 64 KiB', read('get', 'large', '&limit=1000'), 'doctor', 200],
      ['a grant of 50 types', read('get', 'types', '&limit=1000'), 'doctor', 200],
      ['a grant of types that are not there', read('get', 'year', '&limit=1000'), 'limitedDoctor', 200],
      ['a stranger', read('get', 'small'), 'doctor', 403],
      ['nobody', read('get', 'x'.repeat(128)), 'doctor', 403],
    ],
  ],
  ['readings/latest by a doctor', [['a grant of 50 types', read('latest', 'year'), 'limitedDoctor', 200]]],
  [
    'readings/statistics by a doctor',
    [
      [
        'a year of a type that is not granted',
        read('statistics', 'year', '&readingType=interstitialGlucose&from=1700000000&to=1731536000'),
        'limitedDoctor',
        200,
      ],
    ],
  ],
  [
    'readings/access-log by a doctor',
    [
      [
        'a limited grant, 100,000 entries of others',
        read('access-log', 'log', '&limit=1000'),
        'limitedDoctor',
        200,
      ],
    ],
  ],
  [
    'FHIR by a doctor',
    [['a search, a grant of 50 types', '/fhir/Observation?patient=year', 'limitedDoctor', 200]],
  ],
]

export async function grantCases({ owner }: LimitsStage, callers: Callers): Promise<Case[]> {
  const { rows } = await owner.query<{ doctor_id: string }>(
    'select doctor_id from appointments.doctors where is_active order by doctor_id limit 2',
  )
  const [doctorId = '', another = ''] = rows.map((row) => row.doctor_id)
  let turn = 0
  const post = (verb: string, input: string, status: number, body: () => string) => ({
    operation: `grants/${verb}`,
    input,
    status,
    make: () => ({ path: `/casesheet/grants/${verb}`, headers: callers.sender, body: Buffer.from(body()) }),
  })
  const grant = (patientUid: string, more: object) =>
    JSON.stringify({ patientUid, doctorId, permission: 'view', readingTypes: TYPES, sharedAs: NAME, ...more })
  return [
    // Another one each time: the same one would change nothing.
    post('add', '50 types and a name of 400 bytes', 200, () =>
      grant('sender', { permission: turn++ % 2 === 0 ? 'manage' : 'view' }),
    ),
    post('add', 'the same grant again', 200, () => grant('sender', { doctorId: another })),
    post('add', '51 types', 400, () => grant('sender', { readingTypes: [...TYPES, 'more'] })),
    post('add', '5,000 types', 400, () =>
      grant('sender', { readingTypes: Array.from({ length: 5_000 }, (_, n) => `t${n}`) }),
    ),
    post('add', 'a name of 60 KB', 400, () => grant('sender', { sharedAs: 'x'.repeat(60_000) })),
    post('add', '30,000 levels', 400, () => `{"readingTypes":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
    post('add', 'a doctor who is unknown', 422, () => grant('sender', { doctorId: 'x'.repeat(100) })),
    {
      operation: 'grants/add',
      input: 'to the 101st doctor',
      status: 422,
      make: () => ({
        path: '/casesheet/grants/add',
        headers: callers.sharing,
        body: Buffer.from(grant('sharing', {})),
      }),
    },
    post('revoke', 'what is given', 200, () => JSON.stringify({ patientUid: 'sender', doctorId })),
    post('revoke', 'what was never given', 200, () =>
      JSON.stringify({ patientUid: 'sender', doctorId: 'x'.repeat(100) }),
    ),
    ...gets(callers, 'grants/list', GRANTS),
    ...gets(callers, 'grants/history', HISTORY),
    ...gets(callers, 'patients/list', PATIENTS),
    ...gets(callers, 'care/patients/list', MINE),
    ...READS.flatMap(([operation, of]) => gets(callers, operation, of)),
  ]
}
