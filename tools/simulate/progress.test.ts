import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress } from './progress.ts'

const at = (readings: number, share: number) => ({ stage: 'Sending', share, readings, retries: 3, errors: 0 })

function showOn(terminal: { isTTY?: boolean; columns?: number }) {
  let written = ''
  const progress = createProgress({ ...terminal, write: (text) => void (written += text) })
  progress.show(at(0, 0), 1_000)
  progress.show(at(10_000, 0.5), 6_000)
  progress.end(at(15_000, 1), 11_000)
  return written
}

test('elsewhere than on a terminal, progress is plain lines and the last one says how it ended', () => {
  assert.equal(
    showOn({}),
    [
      'Sending 0 %: 0 readings, 0/s, 3 retries, 0 errors',
      'Sending 50 %: 10,000 readings, 2,000/s, 3 retries, 0 errors',
      'Sending 100 %: 15,000 readings, 1,000/s, 3 retries, 0 errors',
      '',
    ].join('\n'),
  )
})

test('on a terminal, progress is one line drawn over and cleared at the end', () => {
  const written = showOn({ isTTY: true, columns: 0 })
  assert.doesNotMatch(written, /\n/)
  const bar = '[#####-----] Sending 50 %: 10,000 readings, 2,000/s, 3 retries, 0 errors'
  assert.ok(written.includes(`\r${bar}\u001b[K`), written)
  assert.ok(written.endsWith('\r\u001b[K'))
})

test('on a narrow terminal, the bar gives way to the numbers, and nothing wraps', () => {
  const linesOn = (columns: number) =>
    showOn({ isTTY: true, columns })
      .split('\r')
      .map((line) => line.replace('\u001b[K', ''))
  assert.ok(linesOn(64).includes('Sending 50 %: 10,000 readings, 2,000/s, 3 retries, 0 errors'))
  assert.ok(linesOn(40).every((line) => line.length < 40))
})
