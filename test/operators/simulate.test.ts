// `rounds simulate` from end to end: a real server, a real database, a real issuer, and faults that come on top.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIMULATE_HELP } from '../../src/commands/simulate.ts'
import { runCommand } from '../support/process.ts'
import { countIn, startStage } from '../support/simulate-stage.ts'
import { until } from '../support/until.ts'

const stage = await startStage()

test('with every fault, and a server killed and started again meanwhile, it proves that each reading is there once', async () => {
  const simulation = stage.simulate(
    '--patients 6 --days 6 --seed 71 --rate 400 --duplicates 10% --late 8h --out-of-order --drop-answers 10%',
  )
  await until(async () => (await stage.countStored()) > 150)
  await stage.killAndRestart()
  const storedAtRestart = await stage.countStored()
  const { code, output } = await simulation.ended
  assert.equal(code, 0, output)
  assert.match(output, /^Proven: each reading is there exactly once, as it was sent, and no other\.$/m)
  const count = (name: string) => countIn(output, name)
  assert.ok(storedAtRestart < count('distinct readings'), 'it was killed in the middle')
  assert.equal(await stage.countStored(), count('distinct readings'))
  assert.equal(count('read back'), count('distinct readings'))
  assert.ok(count('duplicates sent') > 0)
  assert.ok(count('answers dropped') > 0)
  assert.ok(count('retries') > count('answers dropped'), 'the restart was met')
  for (const name of ['errors', 'missing', 'doubled', 'unexpected']) assert.equal(count(name), 0)
})

test('a copy built from readings/changes, through lost answers and a killed server, is what is stored', async () => {
  const before = await stage.countStored()
  const simulation = stage.simulate(
    '--patients 6 --days 4 --seed 79 --rate 400 --drop-answers 10% --withdraw 10% --follow',
  )
  await until(async () => (await stage.countStored()) > before + 150)
  await stage.killAndRestart()
  const { code, output } = await simulation.ended
  assert.equal(code, 0, output)
  assert.match(
    output,
    /^Proven: the copy that was built from readings\/changes is what readings\/get gives\.$/m,
  )
  assert.equal(countIn(output, 'wrong in the copy'), 0)
  const [changes, distinct] = [countIn(output, 'changes followed'), countIn(output, 'distinct readings')]
  const [withdrawn, restored] = [countIn(output, 'withdrawn'), countIn(output, 'restored')]
  assert.ok(restored > 0 && withdrawn > restored)
  assert.equal(countIn(output, 'in a wrong state'), 0)
  assert.ok(changes >= distinct && changes <= distinct + withdrawn + restored, String(changes))
  const { code: again, output: second } = await stage.simulate('--patients 6 --days 4 --seed 79').ended
  assert.equal(again, 0, second)
})

test('a second run of the same seed stores nothing new, whatever its faults, and proves itself again', async () => {
  const first = await stage.simulate('--patients 2 --days 3 --seed 72').ended
  assert.equal(first.code, 0, first.output)
  const stored = await stage.countStored()
  const again = await stage.simulate('--patients 2 --days 3 --seed 72 --duplicates 50% --late 1d').ended
  assert.equal(again.code, 0, again.output)
  assert.equal(await stage.countStored(), stored)
  assert.equal(countIn(again.output, 'distinct readings'), countIn(first.output, 'distinct readings'))
})

test('a shorter run after a longer one proves itself too', async () => {
  assert.equal((await stage.simulate('--patients 1 --days 4 --seed 73').ended).code, 0)
  const shorter = await stage.simulate('--patients 1 --days 1 --seed 73 --from 2026-01-02').ended
  assert.equal(shorter.code, 0, shorter.output)
})

test('what is not a terminal gets plain lines, and no token is shown', async () => {
  const { output } = await stage.simulate('--patients 1 --days 1 --seed 74').ended
  assert.match(output, /^Sending 100 %: \d+ readings, [\d,]+\/s, 0 retries, 0 errors$/m)
  assert.match(output, /^Reading back 100 %: \d+ readings/m)
  for (const unwanted of ['\r', '\u001b', 'eyJ']) assert.equal(output.includes(unwanted), false)
})

test('--rate holds it back', async () => {
  const { code, output } = await stage.simulate('--patients 2 --days 1 --seed 75 --rate 60').ended
  assert.equal(code, 0, output)
  const [, seconds] = /sent in ([\d.]+) s/.exec(output) ?? []
  // The last send need not be waited for.
  assert.ok(Number(seconds) > (countIn(output, 'distinct readings') / 60) * 0.6, output)
})

test('Ctrl-C ends it at once, with what was done so far and nothing proven', async () => {
  const before = await stage.countStored()
  const simulation = stage.simulate('--patients 50 --days 30 --seed 76 --rate 300')
  await until(async () => (await stage.countStored()) > before + 50)
  simulation.child.kill('SIGINT')
  const { code, output } = await simulation.ended
  assert.equal(code, 1)
  assert.ok(countIn(output, 'distinct readings') > 0)
  assert.equal(countIn(output, 'errors'), 0)
  assert.match(output, /^Not proven: it ended before everything was sent and read back\.$/m)
})

test('the examples of its help run as printed', async () => {
  const examples = [...SIMULATE_HELP.matchAll(/^ {2}(?:npx )?rounds simulate (--.+)$/gm)].map(
    ([, options = '']) => options,
  )
  assert.ok(examples.length >= 2)
  for (const options of examples) {
    const { code, output } = await stage.simulate(options).ended
    assert.equal(code, 0, output)
  }
})

test('every bad option is named in one message that says what would be right', async () => {
  const bad =
    '--patients none --days 0 --seed -1 --rate 0.5 --url rounds --duplicates 5 --late 2y --drop-answers 80%'
  const { code, output } = await runCommand(['simulate', ...bad.replace('--seed -1', '--seed=-1').split(' ')])
    .ended
  assert.equal(code, 1)
  const named = [...output.matchAll(/^ {2}--([a-z-]+) must be .+\.$/gm)].map(([, name = '']) => name)
  assert.deepEqual(named.toSorted(), [
    'days',
    'drop-answers',
    'duplicates',
    'late',
    'patients',
    'rate',
    'seed',
    'url',
  ])
})

test('a service or an issuer that is not there is a sentence at once, without a secret', async () => {
  const nowhere = 'http://127.0.0.1:9'
  const runs = [
    [['--url', nowhere], stage.environment, /^Rounds at http:\/\/127\.0\.0\.1:9 cannot be used: .+\.$/m],
    [['--url', stage.url], { ...stage.environment, AUTH_ISSUER: nowhere }, /^No access token for .+: .+$/m],
    [
      ['--url', stage.url],
      { ...stage.environment, AUTH_CLIENT_SECRET: 'guess' },
      /^No access token for .+: .+$/m,
    ],
    [[], {}, /^No "rounds dev" is running/m],
  ] as const
  for (const [options, environment, sentence] of runs) {
    const { code, output } = await runCommand(['simulate', ...options], environment).ended
    assert.equal(code, 1)
    assert.match(output, sentence)
    assert.doesNotMatch(output, /guess|\n {4}at /)
  }
})

// The last one: the issuer does not come back.
test('what it cannot go on without ends it with a report of what was done so far, and exit code 1', async () => {
  const before = await stage.countStored()
  const simulation = stage.simulate('--patients 60 --days 2 --seed 77 --rate 500')
  await until(async () => (await stage.countStored()) > before + 50)
  await stage.stopIssuer()
  const { code, output } = await simulation.ended
  assert.equal(code, 1)
  assert.ok(countIn(output, 'distinct readings') > 0)
  assert.equal(countIn(output, 'errors'), 1)
  assert.match(output, /^ {2}given up: No access token for the simulated patients: .+$/m)
  assert.match(output, /^Not proven: it ended before everything was sent and read back\.$/m)
})
