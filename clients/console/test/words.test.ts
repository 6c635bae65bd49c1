import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, countText, numberText } from '../src/format/numbers.ts'
import { ageOf, durationText, instantOfLocal, isZone, localInput, momentText } from '../src/format/times.ts'
import { nameOf, nameWithin } from '../src/format/type-names.ts'
import { unitSign } from '../src/format/units.ts'
import './words.ts'

const BERLIN = 'Europe/Berlin'
const NOW = Date.parse('2026-11-15T20:00:00Z')
const ago = (text: string) => ageOf(text, NOW, BERLIN)

test('an age is said in words that stay true for a while', () => {
  assert.deepEqual(ago('2026-11-15T19:59:30Z'), { text: 'just now' })
  assert.deepEqual(ago('2026-11-15T19:58:00Z'), { text: '2 min ago' })
  assert.match(ago('2026-11-15T06:42:00Z').text, /^0?7:42/)
  assert.deepEqual(ago('2026-11-14T17:02:00Z'), { text: 'yesterday' })
  assert.deepEqual(ago('2026-11-10T12:00:00Z'), { text: '5 days ago' })
})

test('today and yesterday are those of the zone that is shown, not of UTC', () => {
  // 23:30 of the 14th in UTC is already the 15th in Berlin.
  assert.match(ageOf('2026-11-14T23:30:00Z', NOW, BERLIN).text, /^0?0:30|12:30/)
  assert.equal(ageOf('2026-11-14T23:30:00Z', NOW, 'UTC').text, 'yesterday')
  assert.match(momentText('2026-11-14T23:30:00Z', NOW, BERLIN), /^today /)
})

test('what is older than a week is marked as old, and what is minutes ahead as future', () => {
  assert.equal(ago('2026-11-08T20:00:01Z').mark, undefined)
  assert.equal(ago('2026-11-08T19:59:59Z').mark, 'old')
  assert.equal(ago('2020-01-01T00:00:00Z').mark, 'old')
  // Clocks are a little ahead as a rule.
  assert.equal(ago('2026-11-15T20:05:00Z').mark, undefined)
  assert.equal(ago('2026-11-15T20:05:01Z').mark, 'future')
})

test('a moment of another year says which', () => {
  assert.doesNotMatch(momentText('2026-03-01T10:00:00Z', NOW, BERLIN), /2026/)
  assert.match(momentText('2025-03-01T10:00:00Z', NOW, BERLIN), /2025/)
})

test('what the wall clock shows is the instant that is meant, also when clocks change', () => {
  const at = (text: string, zone = BERLIN) => {
    const instant = instantOfLocal(text, zone)
    return instant === undefined ? undefined : new Date(instant).toISOString()
  }
  assert.equal(at('2026-07-01T12:00'), '2026-07-01T10:00:00.000Z')
  assert.equal(at('2026-12-01T12:00'), '2026-12-01T11:00:00.000Z')
  // 02:30 comes twice in the night of 25 October: the first is meant.
  assert.equal(at('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z')
  assert.equal(at('2026-10-25T03:30'), '2026-10-25T02:30:00.000Z')
  // 02:30 is skipped in the night of 29 March.
  assert.equal(at('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z')
  assert.equal(at('2026-03-29T03:30'), '2026-03-29T01:30:00.000Z')
  assert.equal(at('2026-07-01T12:00', 'Asia/Kathmandu'), '2026-07-01T06:15:00.000Z')
  assert.equal(at('yesterday'), undefined)
  assert.equal(at(''), undefined)
})

test('an instant and its wall clock lead back to each other in every zone, all year round', () => {
  for (const zone of [
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Casablanca',
    BERLIN,
  ]) {
    for (
      let at = Date.parse('2026-01-01T00:00:00Z');
      at < Date.parse('2027-01-01T00:00:00Z');
      at += 5 * 3_600_000
    ) {
      const text = localInput(at, zone)
      const instant = instantOfLocal(text, zone) ?? assert.fail(text)
      assert.equal(localInput(instant, zone), text)
    }
  }
})

test('only zones are zones', () => {
  assert.ok(isZone('Europe/Berlin') && isZone('UTC'))
  assert.ok(!isZone('Mars/Base') && !isZone('') && !isZone('<b>'))
})

test('types and fields have the names that people use', () => {
  assert.equal(nameOf('bloodGlucose'), 'Blood glucose')
  assert.equal(nameOf('gripStrength'), 'Grip strength')
  assert.equal(nameOf('acme.grip'), 'acme.grip')
  // A name that every object has is no name of ours.
  assert.equal(nameOf('constructor'), 'Constructor')
  assert.equal(nameOf('__proto__'), '__proto__')
  assert.equal(nameWithin('heartRate'), 'heart rate')
  assert.equal(nameWithin('fev1'), 'FEV1')
})

test('units have the signs that people write', () => {
  assert.deepEqual(['mm[Hg]', 'Cel', '[lb_av]', 'mmol/L', 'toString'].map(unitSign), [
    'mmHg',
    '°C',
    'lb',
    'mmol/L',
    'toString',
  ])
})

test('nothing of a measured number is rounded away', () => {
  assert.equal(numberText(36.83), '36.83')
  assert.equal(numberText(4_210), '4,210')
  assert.equal(numberText(1e21), '1e+21')
  assert.equal(numberText(0.0000001), '1e-7')
  assert.equal(numberText(0), '0')
})

test('counts, sizes and durations agree with their words', () => {
  assert.equal(countText(1, 'reading'), '1 reading')
  assert.equal(countText(1_204, 'reading'), '1,204 readings')
  assert.equal(countText(1, 'reading waits', 'readings wait'), '1 reading waits')
  assert.equal(bytesText(1), '1 byte')
  assert.equal(bytesText(23_456), '23.5 kB')
  assert.equal(bytesText(4_200_000), '4.2 MB')
  assert.equal(durationText(45), '45 min')
  assert.equal(durationText(432), '7 h 12 min')
  assert.equal(durationText(479.6), '8 h 0 min')
})
