// The addresses that a client calls, on platforms whose `URL` is not that of the standard. Nothing is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoundsClient } from '../src/client.ts'

/** Joins as React Native 0.82 does: a path is appended to the whole base, and an address alone ends with a slash. */
class AppendingUrl {
  readonly href: string

  constructor(address: string, base?: string) {
    this.href = base === undefined ? address.replace(/\/?$/, '/') : `${base.replace(/\/$/, '')}${address}`
  }
}

test('care and webhooks are beside the readings, also where URL appends paths, as in React Native', async (context) => {
  const asked: string[] = []
  context.after(() => Object.assign(globalThis, { URL: platformUrl }))
  const platformUrl = globalThis.URL
  Object.assign(globalThis, { URL: AppendingUrl })
  const { listSpecialities, latestReadings, targets, webhooks } = createRoundsClient({
    appointmentsUrl: 'https://directory.example/appointments',
    casesheetUrl: 'https://rounds.example:8443/casesheet/',
    token: 'some-token',
    fetch: async (address) => {
      asked.push(address)
      return new Response('{"status":"success","data":[]}')
    },
  })
  for (const call of [listSpecialities, latestReadings, targets.presets, webhooks.list]) await call()
  assert.deepEqual(asked, [
    'https://directory.example/appointments/doctors/specialities/list',
    'https://rounds.example:8443/casesheet/readings/latest',
    'https://rounds.example:8443/care/targets/presets',
    'https://rounds.example:8443/webhooks/endpoints/list',
  ])
})
