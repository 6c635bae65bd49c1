// `source` of a reading, in every type alike: what may stand there, what is refused and where, and that it is content.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { patientTrying } from '../../../test/support/patient-trying.ts'

const rounds = await startRounds()

/** One of each kind of type: all but these are of the catalogue too, and have the same common fields. */
const TYPES: Record<string, object> = {
  symptom: { symptoms: [{ symptom: 'headache', severity: 'MILD' }] },
  bloodPressure: { systolic: 128, diastolic: 82 },
  bloodGlucose: { value: 6.1, unit: 'mmol/L' },
  'acme.grip': { newtons: 310 },
}

const DEVICE = { name: 'Cuff 2', manufacturer: 'Example Devices', model: 'EX-200', serial: '123' }
const widest = '𝕏'.repeat(200)

const ACCEPTED: object[] = [
  ...['device', 'manual', 'import'].map((kind) => ({ kind })),
  { kind: 'device', device: { name: 'Cuff 2' } },
  { kind: 'device', device: DEVICE, app: { name: 'Example Health', version: '4.1' } },
  { kind: 'manual', device: DEVICE, app: { name: 'Example Health' } },
  // Padded by the device; a no-break space; right-to-left script, which needs no mark; a family of one glyph.
  {
    kind: 'device',
    device: { name: 'Cuff 2  ', model: 'a\u00a0b', serial: 'مقياس', manufacturer: '👨‍👩‍👧' },
  },
  {
    kind: 'import',
    device: { name: widest, manufacturer: widest, model: widest, serial: widest },
    app: { name: widest, version: widest },
  },
]

const SOURCE = 'must be an object with a kind, and with device or app where they are known'
const KIND = 'must be one of device, manual, import'
const TEXT = 'must be a text of 1 to 200 characters on one line, not only blanks, without control characters'
const UNKNOWN = 'is not known here'
const named = (name: unknown) => ({ kind: 'device', device: { name } })

const REFUSED: [source: unknown, ...errors: [pointer: string, message: string][]][] = [
  ...[null, 'manual', 7, true, [], [{ kind: 'manual' }]].map(
    (source) => [source, ['/source', SOURCE]] as [unknown, [string, string]],
  ),
  [{}, ['/source/kind', 'is required']],
  [{ device: DEVICE }, ['/source/kind', 'is required']],
  [{ kind: 'Device' }, ['/source/kind', KIND]],
  [{ kind: null }, ['/source/kind', KIND]],
  [{ kind: 'manual', note: 'x' }, ['/source/note', UNKNOWN]],
  [{ kind: 'manual', Device: DEVICE }, ['/source/Device', UNKNOWN]],
  [{ kind: 'device', device: 'Cuff 2' }, ['/source/device', 'must be an object with the name of the device']],
  [{ kind: 'device', device: null }, ['/source/device', 'must be an object with the name of the device']],
  [{ kind: 'device', device: {} }, ['/source/device/name', 'is required']],
  [{ kind: 'device', device: { ...DEVICE, serialNumber: '1' } }, ['/source/device/serialNumber', UNKNOWN]],
  [{ kind: 'device', device: { ...DEVICE, 'a/b~': 1 } }, ['/source/device/a~1b~0', UNKNOWN]],
  [{ kind: 'device', device: { ...DEVICE, serial: 123 } }, ['/source/device/serial', TEXT]],
  [{ kind: 'device', device: { ...DEVICE, model: '' } }, ['/source/device/model', TEXT]],
  [{ kind: 'manual', app: 'Example Health' }, ['/source/app', 'must be an object with the name of the app']],
  [{ kind: 'manual', app: { version: '1' } }, ['/source/app/name', 'is required']],
  [{ kind: 'manual', app: { name: 'x', version: 1 } }, ['/source/app/version', TEXT]],
  ...[
    '',
    ' ',
    '\u00a0\u2003',
    `${widest}x`,
    'a\nb',
    'a\tb',
    '\u0007',
    '\u0085',
    '\u2028',
    'a\u202eb',
    '\u2066x',
  ].map((name) => [named(name), ['/source/device/name', TEXT]] as [unknown, [string, string]]),
]

for (const [readingType, fields] of Object.entries(TYPES)) {
  test(`${readingType}: every source that may be is stored and comes back as it was sent`, async () => {
    const { accepts, stored } = await patientTrying(rounds, readingType)
    for (const source of ACCEPTED) await accepts({ ...fields, source })
    await accepts(fields)
    const found = (await stored()) as { source?: object }[]
    assert.deepEqual(
      found.map(({ source }) => source),
      [...ACCEPTED, undefined],
    )
  })

  test(`${readingType}: any other source is refused, with its place and what would be right`, async () => {
    const { refuses, stored } = await patientTrying(rounds, readingType)
    for (const [source, ...errors] of REFUSED) {
      await refuses({ ...fields, source }, ...errors.map(([pointer, message]) => ({ pointer, message })))
    }
    assert.deepEqual(await stored(), [])
  })
}

test('what is wrong with the source is said beside what else is wrong, also of a misnamed type and in a list', async () => {
  const { patientUid, add } = await newPatient(rounds)
  const common = { patientUid, timestamp: 1_762_000_000_000, source: { kind: 'typed' } }
  const { json } = await add([
    { ...common, readingType: 'heartRate', value: 0 },
    { ...common, readingType: 'heart_rate', value: 72 },
  ])
  const pointers = json.errors.map(({ pointer }) => pointer)
  assert.deepEqual(pointers.toSorted(), ['/0/source/kind', '/0/value', '/1/readingType', '/1/source/kind'])
})

test('a source is part of the content: the same one, in any order, is the same reading, and another is another', async () => {
  const { patientUid, add, stored, symptom } = await newPatient(rounds)
  const of = (source: object) => ({ ...symptom(1_762_000_000_000), source })
  const first = of({ kind: 'device', device: DEVICE })
  const again = of({ device: Object.fromEntries(Object.entries(DEVICE).toReversed()), kind: 'device' })
  const other = of({ kind: 'device', device: { ...DEVICE, serial: '124' } })
  for (const body of [first, again, [first, again, other]]) assert.equal((await add(body)).status, 200)
  const found = (await stored()) as { readingId: string; source: object }[]
  assert.deepEqual(
    found.map(({ source }) => source).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    [first.source, other.source],
  )
  // By hand: JSON with its keys in order. Were this another id one day, every retry would store a second reading.
  const [{ symptom: name, severity } = assert.fail()] = first.symptoms
  const canonical =
    `{"patientUid":"${patientUid}","readingType":"symptom","source":{"device":{"manufacturer":"Example Devices",` +
    `"model":"EX-200","name":"Cuff 2","serial":"123"},"kind":"device"},` +
    `"symptoms":[{"severity":"${severity}","symptom":"${name}"}],"timestamp":1762000000000}`
  const digest = createHash('sha256').update(canonical).digest('hex')
  assert.ok(found.some(({ readingId }) => readingId.replaceAll('-', '').startsWith(digest.slice(0, 12))))
})

test('a source of as many wrong fields, or of as long a text, as a body may hold is refused at once', async () => {
  const { patientUid, add } = await newPatient(rounds)
  const keys = Object.fromEntries(Array.from({ length: 980 }, (_, index) => [`k${index}`, 1]))
  const of = (source: object, timestamp: number) => ({
    patientUid,
    readingType: 'heartRate',
    value: 72,
    timestamp,
    source,
  })
  const bodies: [body: unknown, errors: number][] = [
    [of({ kind: 'manual', ...keys }, 1), 20],
    [Array.from({ length: 30 }, (_, index) => of({ kind: 'manual', ...keys }, index)), 20],
    [of(named('x'.repeat(60_000)), 1), 1],
    [of(named(' '.repeat(60_000)), 1), 1],
    [of(named('\u0007'.repeat(9_000)), 1), 1],
  ]
  for (const [body, errors] of bodies) {
    const begun = performance.now()
    const { status, json } = await add(body)
    assert.deepEqual([status, json.errors?.length], [400, errors], json.message)
    assert.ok(performance.now() - begun < 1_000)
  }
})
