// How long neither cell serves the slots, for slots with a million readings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../../src/modules/cells/move/move-slots.ts'
import { runSql } from '../../support/harness.ts'
import { startCell } from '../two-cells.ts'

const READINGS = Number(process.env['READINGS'] ?? 2_000_000)
const MAX_SWITCH_MS = 5_000

test('half of a cell with two million readings is switched within five seconds', async () => {
  const [old, fresh] = [await startCell({ max_wal_size: '8GB' }), await startCell({ max_wal_size: '8GB' })]
  await runSql(
    old.ownerUrl,
    `insert into casesheet.readings
       (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'patient-' || n % 20000, to_timestamp(1600000000 + n), gen_random_uuid(), 'heartRate', 1600000000 + n,
       '{"value":72,"unit":"bpm"}', 'test'
     from generate_series(1, ${READINGS}) as n`,
  )
  await runSql(old.ownerUrl, 'vacuum analyze casesheet.readings')
  const at = new Map<string, number>()
  const { compared } = await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 2_048, last: 4_095 },
    limitMs: 120_000,
    changeMap: async () => {},
    onProgress: () => {},
    onStep: (step) => void at.set(step, performance.now()),
  })
  const between = (first: string, last: string) => Math.round((at.get(last) ?? 0) - (at.get(first) ?? 0))
  const switchMs = between('closed', 'moved')
  process.stdout.write(
    `${compared?.readings} readings: copied in ${between('replicating', 'copied')} ms, switched in ${switchMs} ms, ` +
      `after ${between('copied', 'compared')} ms of comparing.\n`,
  )
  assert.ok((compared?.readings ?? 0) > READINGS * 0.45)
  assert.ok(switchMs <= MAX_SWITCH_MS, `${switchMs} ms`)
})
