// Alerts at their largest: a doctor's patients with one open each, and a patient with thousands and the longest notes.
import { type Callers, type Case, gets } from './case.ts'

const NOTE = '😀'.repeat(500)
export const ALERTED = 'alerted'
/** One of that patient, with as many events as some weeks bring. */
export const ALERT_ID = '5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37'

export function alertCases(callers: Callers): Case[] {
  const acknowledge = (input: string, status: number, body: object) => ({
    operation: 'alerts/acknowledge',
    input,
    status,
    make: () => ({
      path: '/care/alerts/acknowledge',
      headers: callers.doctor,
      body: Buffer.from(JSON.stringify({ patientUid: ALERTED, alertId: ALERT_ID, ...body })),
    }),
  })
  const own = `/care/alerts/list?patientUid=${ALERTED}`
  return [
    acknowledge('a note of 2,000 bytes', 200, { note: NOTE, visibleTo: 'patient' }),
    acknowledge('a note of 60 KB', 400, { note: 'x'.repeat(60_000), visibleTo: 'patient' }),
    acknowledge('a patient who shares nothing', 403, {
      patientUid: 'small',
      note: NOTE,
      visibleTo: 'patient',
    }),
    ...gets(callers, 'alerts/list', [
      ['what is open of 2,000 patients', '/care/alerts/list?limit=200', 'doctor', 200],
      ['all states of 2,000 patients', '/care/alerts/list?state=all&limit=200', 'doctor', 200],
      ['a page of 5,000', `${own}&state=all&limit=200`, 'doctor', 200],
      ['behind 5,000 of a type that is not granted', `${own}&state=all&limit=200`, 'limitedDoctor', 200],
      ['a cursor of 6 KB', `${own}&cursor=${'A'.repeat(6_000)}`, 'doctor', 400],
    ]),
  ]
}
