// Which requests are admitted while no more may be in work: each kind has a share of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  NO_TOKEN,
  PREFLIGHT,
  SAMPLE_MS,
  type Sent,
  startAdmission,
  TOKEN,
} from '../../../test/support/admission.ts'

/** How many of 20 requests are admitted in each of three iterations of 5 ms. */
function admittedInLongIterations(sent: Sent, inWork = 0) {
  const { admittedOf, arrive, work, end, loop } = startAdmission({ maxWhenBusy: 18 })
  work(inWork)
  return [1, 2, 3].map(() => {
    // One of another kind begins the iteration, without a part in what is counted.
    arrive(sent === PREFLIGHT ? NO_TOKEN : PREFLIGHT)
    loop.ms += SAMPLE_MS
    const admitted = admittedOf(20, sent)
    end()
    return admitted
  })
}

test('as many as are always admitted pass in a long iteration, less those refused in the one before', () => {
  // 20 less 18 were refused; then 20 less 16.
  assert.deepEqual(admittedInLongIterations(TOKEN), [18, 16, 14])
  assert.deepEqual(admittedInLongIterations(TOKEN, 17), [18, 0, 0])
  assert.deepEqual(admittedInLongIterations(TOKEN, 18), [0, 0, 0])
})

test('requests without a token and preflights have a quarter of that, rounded up, and preflights whatever is in work', () => {
  assert.deepEqual(admittedInLongIterations(NO_TOKEN), [5, 0, 0])
  assert.deepEqual(admittedInLongIterations(NO_TOKEN, 4), [5, 0, 0])
  assert.deepEqual(admittedInLongIterations(NO_TOKEN, 5), [0, 0, 0])
  assert.deepEqual(admittedInLongIterations(PREFLIGHT), [5, 0, 0])
  assert.deepEqual(admittedInLongIterations(PREFLIGHT, 100), [5, 0, 0])
  // One of them passes where no more have a share.
  const { arrive, loop } = startAdmission({ maxWhenBusy: 1 })
  arrive(TOKEN)
  loop.ms += SAMPLE_MS
  assert.deepEqual([arrive(PREFLIGHT).status, arrive(PREFLIGHT).status], [200, 503])
})

test('known tokens have a share of their own, of which only known requests in work take', () => {
  const asked: string[] = []
  const { admittedOf, control, inWork, work, end, loop, arrive } = startAdmission({
    maxWhenBusy: 16,
    isKnown: (authorization) => asked.push(authorization) > 0,
  })
  const inLongIteration = (count: number, sent: Sent) => {
    arrive(PREFLIGHT)
    loop.ms += SAMPLE_MS
    const admitted = admittedOf(count, sent)
    end()
    return admitted
  }
  assert.equal(inLongIteration(10, TOKEN), 10)
  assert.deepEqual(asked, [])
  work(100)
  assert.equal(inLongIteration(10, TOKEN), 10)
  assert.deepEqual(
    asked,
    Array.from({ length: 10 }, () => 'Bearer x'),
  )
  assert.equal(inLongIteration(10, NO_TOKEN), 0)
  // Their tokens turn out to be valid, of some of them twice; one that ends takes its share with it.
  for (const request of [...inWork.slice(0, 10), ...inWork.slice(0, 5)]) control.know(request)
  assert.equal(inLongIteration(16, TOKEN), 16)
  for (const request of inWork.slice(0, 16)) control.know(request)
  assert.equal(inLongIteration(1, TOKEN), 0)
  // The end of unknown ones makes no room for known ones.
  work(90)
  assert.equal(inLongIteration(1, TOKEN), 0)
  for (const request of inWork.slice(0, 2)) control.end(request)
  assert.equal(inLongIteration(1, TOKEN), 1)
  // One whose token is known already when it begins takes part at once.
  for (const request of inWork.slice(0, 2)) control.begin(request)
  assert.equal(inLongIteration(1, TOKEN), 0)
})

test('a request is in work once, however often it begins or ends', () => {
  const { control, overload, limit, work, arrive, end } = startAdmission()
  overload(100)
  assert.equal(limit(), 70)
  work(69)
  const request = { isKnown: false }
  control.end(request)
  for (let times = 0; times < 3; times++) control.begin(request)
  assert.equal(arrive().status, 503)
  end()
  for (let times = 0; times < 3; times++) control.end(request)
  work(70)
  assert.equal(arrive().status, 503)
  end()
  work(69)
  assert.equal(arrive().status, 200)
})

test('a token that turns out to be valid before its request is in work takes no share until then', () => {
  const { control, loop, arrive, work } = startAdmission({ maxWhenBusy: 1, isKnown: () => true })
  work(10)
  const request = { isKnown: false }
  control.know(request)
  arrive(PREFLIGHT)
  loop.ms += SAMPLE_MS
  control.begin(request)
  assert.equal(arrive().status, 503)
  control.end(request)
  assert.equal(arrive().status, 200)
})
