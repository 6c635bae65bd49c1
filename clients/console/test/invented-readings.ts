// Invented readings: some of each kind, and those of someone who means harm.
import type { Reading } from '../../typescript/src/client.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Two weeks of many types, with a gap; a weight that is old; a reading that is dated next year. */
export function everyKind(patientUid: string, now: number): Reading[] {
  const readings: Reading[] = []
  const add = (readingType: string, timestamp: number, fields: object) =>
    readings.push({ patientUid, readingType, timestamp, ...fields })
  for (let day = 0; day < 14; day++) {
    const at = now - day * DAY
    if (day === 5) continue
    add('heartRate', at - 2 * 60_000, { value: 70 + day })
    add('bloodPressure', at - HOUR, { systolic: 128 + day, diastolic: 82, pulse: 70, position: 'sitting' })
    add('bloodGlucose', at - 2 * HOUR, { value: 5.5 + day / 10, unit: 'mmol/L' })
    add('sleep', at - 3 * HOUR, { value: 432, deep: 80 })
  }
  add('bodyTemperature', now - HOUR, { value: 43.1, unit: 'Cel' })
  add('bodyWeight', now - 9 * DAY, { value: 71.4, unit: 'kg' })
  add('symptom', now - HOUR, { symptoms: [{ symptom: 'headache', severity: 'MODERATE' }] })
  add('oxygenSaturation', now + 400 * DAY, { value: 97 })
  return readings
}

export const HOSTILE_PATIENT = 'child-2'

export function hostileReadings(now: number): Reading[] {
  const of = (readingType: string, fields: object, ageMs = 60_000) =>
    ({ patientUid: HOSTILE_PATIENT, readingType, timestamp: now - ageMs, ...fields }) as Reading
  return [
    of('symptom', {
      symptoms: [
        { symptom: '<img src=x onerror=alert(1)><b>bold</b>', severity: 'SEVERE' },
        { symptom: 'صداع شديد في الرأس', severity: 'MODERATE' },
        { symptom: '=HYPERLINK("http://evil.example","x")', severity: 'MILD' },
      ],
    }),
    of('acme.words', { text: `"><script>alert(1)</script>${'wörd '.repeat(1_990)}` }),
    of('acme.unbroken', { text: 'x'.repeat(10_000) }),
    of('acme.arabic', { text: 'قراءة من الجهاز', nested: { a: [1, { b: null }] } }),
    of('constructor', { value: 3 }),
    of('acme.link', { href: 'javascript:alert(1)', '<b>': '{{7*7}}' }),
    of('heartRate', { value: 88, context: '</script><script>alert(2)</script>' }),
  ]
}
