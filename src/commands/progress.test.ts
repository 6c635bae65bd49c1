import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showProgress } from './progress.ts'

function outputOf(terminal: { isTTY?: boolean; columns?: number }) {
  let written = ''
  return { ...terminal, write: (text: string) => void (written += text), written: () => written }
}

test('on a terminal, a bar is drawn as wide as there is room, and cleared at the end', () => {
  for (const [columns, line] of [
    [80, '[###############---------------] writing 50 %'],
    [40, '[#####-----] writing 50 %'],
    [20, 'writing 50 %'],
    [8, 'writing'],
  ] as const) {
    const output = outputOf({ isTTY: true, columns })
    const progress = showProgress(output)
    progress.show({ stage: 'writing', share: 0.5 })
    progress.show({ stage: 'writing', share: 0.501 })
    progress.end()
    assert.equal(output.written(), `\r${line}\u001b[K\r\u001b[K`)
  }
})

test('elsewhere, a line is written at most every five seconds', () => {
  const output = outputOf({})
  let time = 0
  const progress = showProgress(output, { now: () => time })
  for (time of [0, 4_999, 5_000, 9_999, 10_000]) progress.show({ stage: 'reading', share: time / 10_000 })
  progress.end()
  assert.equal(output.written(), 'reading 50 %\nreading 100 %\n')
})

test('a line that is said stays, and a bar is drawn anew below it', () => {
  const output = outputOf({ isTTY: true, columns: 20 })
  const progress = showProgress(output)
  progress.show({ stage: 'writing' })
  progress.say('The disk is slow.')
  progress.show({ stage: 'writing' })
  progress.end()
  const bar = '\rwriting\u001b[K'
  assert.equal(output.written(), `${bar}\r\u001b[KThe disk is slow.\n${bar}\r\u001b[K`)
})
