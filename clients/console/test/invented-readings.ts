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

/** A sensor that sends every five minutes up to now, in mg/dL: three meals a day, one night with a low, an afternoon without the sensor. */
export function sensorGlucose(patientUid: string, now: number, days: number): Reading[] {
  const readings: Reading[] = []
  for (let ago = days * DAY; ago > 0; ago -= HOUR / 12) {
    const timestamp = now - ago
    const hour = (timestamp / HOUR) % 24
    const day = Math.floor(timestamp / DAY)
    if (day % 6 === 2 && hour > 13 && hour < 19) continue
    const meal = (at: number, rise: number) => rise * Math.exp(-((hour - at) ** 2) / 4)
    const night = day % 5 === 0 && hour > 2 && hour < 4.5 ? -25 - 32 * (hour - 2) : 0
    const value =
      112 + meal(8, 70) + meal(13, 75) + meal(20, 135) + 30 * Math.sin(day * 2.1 + hour / 5) + night
    readings.push({
      patientUid,
      readingType: 'interstitialGlucose',
      value: Math.round(Math.max(42, value)),
      unit: 'mg/dL',
      timestamp,
      source: { kind: 'device', device: { name: 'An invented sensor' } },
    })
  }
  return readings
}

/** Twice each morning and evening, sometimes between and after midnight, by a protocol for measuring at home. */
export function homePressures(patientUid: string, now: number, days: number): Reading[] {
  const readings: Reading[] = []
  for (let day = 0; day < days; day++) {
    const midnight = Math.floor(now / DAY) * DAY - day * DAY
    const hours = [6.5, 6.6, 18.8, 18.9, ...(day % 4 === 0 ? [13.2] : []), ...(day % 7 === 3 ? [1.4] : [])]
    for (const [index, hour] of hours.entries()) {
      const timestamp = midnight + Math.round(hour * HOUR)
      if (timestamp > now) continue
      readings.push({
        patientUid,
        readingType: 'bloodPressure',
        systolic: 126 + Math.round(16 * Math.sin(day)) + index,
        diastolic: 79 + Math.round(8 * Math.sin(day + 1)) + index,
        pulse: 64 + (day % 9),
        timestamp,
        source: { kind: index % 2 === 0 ? 'device' : 'manual' },
      })
    }
  }
  return readings
}
