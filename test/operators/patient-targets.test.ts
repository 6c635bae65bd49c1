// Targets in `rounds patient export` and `rounds patient erase`: they come out with their history, and go with the patient,
// also those that are being changed. That nothing of them is left is in erased-traces.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../support/harness.ts'
import {
  ERASURE_KEY,
  exportOf,
  openTransaction,
  startErasing,
  untilErasing,
} from '../support/patient-with-history.ts'
import { remove, set, setText, targetsOf } from '../support/targets-by-hand.ts'

const { ownerUrl, serveUrl } = await startRounds({ ERASURE_KEY })

test('an export holds every target with its history, also of a patient of whom nothing else is held', async () => {
  const patientUid = 'aiming'
  const readingType = 'oxygenSaturation'
  await set(serveUrl, { patientUid, readingType, low: 92, label: 'Ours' })
  await set(serveUrl, { patientUid, readingType, low: 90.5 })
  await set(serveUrl, { patientUid, readingType: 'bodyFat', low: 10 })
  await remove(serveUrl, patientUid, 'bodyFat')
  await set(serveUrl, { patientUid: 'aiming-neighbour', readingType, low: 50 })
  const all = await exportOf(patientUid, ownerUrl)
  const terms = (type: string, low: number, label: string | null = null) => ({
    authorKind: 'patient',
    authorId: patientUid,
    authorName: null,
    readingType: type,
    unit: '%',
    fields: { value: { low } },
    expectEvery: null,
    label,
    preset: null,
  })
  const by = 'sub-of-aiming'
  const changes = all('targetChange')
  assert.deepEqual(
    changes.map(({ at: _at, ...rest }) => rest),
    [
      { ...terms(readingType, 92, 'Ours'), action: 'set', by },
      { ...terms(readingType, 90.5), action: 'set', by },
      { ...terms('bodyFat', 10), action: 'set', by },
      { ...terms('bodyFat', 10), action: 'remove', by: 'carer' },
    ],
  )
  assert.deepEqual(all('target'), [
    { ...terms(readingType, 90.5), state: 'set', setBy: by, setAt: changes[1]?.['at'] },
    { ...terms('bodyFat', 10), state: 'removed', setBy: 'carer', setAt: changes[3]?.['at'] },
  ])
  const [end] = all('end')
  assert.deepEqual([end?.['targets'], end?.['targetChanges'], end?.['accesses']], [2, 4, 1])
})

test('targets that are being changed as the erasure begins are waited for and deleted; later ones stay whole', async () => {
  const patientUid = 'aims-meanwhile'
  await set(serveUrl, { patientUid, readingType: 'oxygenSaturation', low: 92, label: 'Before' })
  const before = await openTransaction(serveUrl)
  await before.query(...setText({ patientUid, readingType: 'oxygenSaturation', low: 80, label: 'In flight' }))
  await before.query(...setText({ patientUid, readingType: 'bodyFat', low: 10 }))
  const command = startErasing(patientUid, ownerUrl)
  await untilErasing(command, ownerUrl)
  await set(serveUrl, { patientUid, readingType: 'heartRate', low: 40, label: 'After' })
  await before.query('commit')
  const { code, output } = await command.ended
  assert.equal(code, 0, output)
  const left = await targetsOf(ownerUrl, patientUid)
  // What was set after the erasure began is deleted with the rest, or stays with its history.
  assert.ok(left.length === 0 || left.length === 2, JSON.stringify(left))
  assert.ok(left.every(({ row }) => row['label'] === 'After'))
})
