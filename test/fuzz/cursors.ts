// Cursors that nobody was given: real ones taken apart, with one part changed and put together again.
import fc, { type Arbitrary } from 'fast-check'
import { cursorOf } from '../../src/modules/appointments/doctor-cursor.ts'

const PARTS = [
  '',
  '0',
  '-1',
  '1',
  '999999999',
  '1e308',
  '9'.repeat(400),
  'NaN',
  'asc',
  'desc',
  'infinity',
  '-infinity',
  '9999-12-31T23:59:59.999999Z',
  '0000-01-01T00:00:00.000Z',
  '2025-02-30T00:00:00.000Z',
  '253402300799999',
  '00000000-0000-8000-8000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'x'.repeat(128),
  'x'.repeat(4_000),
  "' or 1=1 --",
  '\0',
  '\ufeff',
  'ß',
]

/** Real cursors, and those made of one of them. */
export function cursorsFrom(real: string[]): Arbitrary<string> {
  const forged = fc
    .tuple(fc.constantFrom(...real), fc.nat(4), fc.oneof(fc.constantFrom(...PARTS), fc.string()))
    .map(([cursor, which, part]) => withPart(cursor, which, part))
  // Its checksum is no secret, so it is right here whatever the parts are.
  const ofDoctors = fc
    .tuple(fc.constantFrom(...PARTS), fc.constantFrom(...PARTS))
    .map(([nameKey, doctorId]) => cursorOf({ nameKey, doctorId }, {}))
  const changed = fc
    .tuple(fc.constantFrom(...real), fc.nat(), fc.constantFrom('A', '_', '=', ''))
    .map(([cursor, at, letter]) => {
      const place = at % cursor.length
      return cursor.slice(0, place) + letter + cursor.slice(place + 1)
    })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...real) },
    { weight: 3, arbitrary: forged },
    { weight: 1, arbitrary: ofDoctors },
    { weight: 1, arbitrary: changed },
  )
}

/** A cursor is a list in JSON or words between spaces. */
function withPart(cursor: string, which: number, part: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const isList = text.startsWith('[')
  const parts = isList ? (JSON.parse(text) as string[]) : text.split(' ')
  parts[which % (parts.length + 1)] = part
  return Buffer.from(isList ? JSON.stringify(parts) : parts.join(' ')).toString('base64url')
}
