// Endpoints of webhooks at their largest: a thousand patients with the longest ids, pages of such endpoints, and a month of attempts.
import { type Callers, type Case, gets } from './case.ts'
import { ENDPOINT_ID } from './stage.ts'

const PATIENTS = Array.from({ length: 1_000 }, (_, nth) => `${nth}-`.padEnd(8, 'x') + '😀'.repeat(60))
const TYPES = Array.from({ length: 50 }, (_, nth) => `type-${nth}`.padEnd(64, 'x'))

export function webhookCases(callers: Callers): Case[] {
  let turn = 0
  const post = (verb: string, input: string, status: number, body: () => object | string) => ({
    operation: `endpoints/${verb}`,
    input,
    status,
    make: () => {
      const sent = body()
      const text = typeof sent === 'string' ? sent : JSON.stringify({ endpointId: ENDPOINT_ID, ...sent })
      return { path: `/webhooks/endpoints/${verb}`, headers: callers.manager, body: Buffer.from(text) }
    },
  })
  const add = (input: string, status: number, more: () => object) =>
    post('add', input, status, () =>
      JSON.stringify({
        url: `https://receiver.invalid/${turn++}-${'x'.repeat(1_900)}`,
        events: ['patient.erased'],
        readingTypes: TYPES,
        patientUids: PATIENTS,
        ...more(),
      }),
    )
  return [
    add('1,000 patients with ids of 248 bytes', 200, () => ({})),
    add('an address that is there', 409, () => ({ url: 'https://receiver.invalid/1' })),
    add('1,001 patients', 400, () => ({ patientUids: [...PATIENTS, 'more'] })),
    add('1,000 ids of 4 KB', 400, () => ({ patientUids: PATIENTS.map((uid) => uid.repeat(16)) })),
    add('an address of 60 KB', 400, () => ({ url: `https://receiver.invalid/${'x'.repeat(60_000)}` })),
    post('add', '30,000 levels', 400, () => `{"patientUids":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
    post('pause', 'one with 1,000 patients', 200, () => ({})),
    post('skip', 'where nothing failed', 200, () => ({ messageId: `msg_${'x'.repeat(32)}` })),
    post('replay', 'from the beginning', 200, () => ({ since: 'beginning' })),
    post('rotate-secret', 'one with 1,000 patients', 200, () => ({})),
    post('remove', 'what is not there', 200, () => ({ endpointId: '00000000-0000-0000-0000-000000000000' })),
    ...gets(callers, 'endpoints/list', [
      ['a page of endpoints with 1,000 patients', '/webhooks/endpoints/list', 'manager', 200],
      ['a cursor of 6 KB', `/webhooks/endpoints/list?cursor=${'A'.repeat(6_000)}`, 'manager', 400],
    ]),
    ...gets(callers, 'attempts/list', [
      [
        'a page of a month of minutes',
        `/webhooks/attempts/list?limit=1000&endpointId=${ENDPOINT_ID}`,
        'manager',
        200,
      ],
      [
        'a cursor of 6 KB',
        `/webhooks/attempts/list?endpointId=${ENDPOINT_ID}&cursor=${'A'.repeat(6_000)}`,
        'manager',
        400,
      ],
    ]),
  ]
}
