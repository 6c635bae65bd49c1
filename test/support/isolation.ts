// Isolated requests over a database whose every statement waits until the test lets it return, in virtual time.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Isolation } from '../../src/db/isolate.ts'
import { type PendingRequest, PendingRequests } from '../../src/db/pending-requests.ts'
import { startVirtualTime } from './virtual-time.ts'

type Item = { id: number; keys: string[]; hasBegun: boolean }
type Sent = { ids: number[]; answer: () => Promise<void>; fail: (code: string) => Promise<void> }

export const [BAD_DATA, LOCKED, TOO_SLOW, LOST] = ['22P02', '55P03', '57014', '57P01']
export const withCode = (code: string) => Object.assign(new Error(code), { code })
export const settle = () => new Promise<void>((resume) => setImmediate(resume))

export function startIsolation(t: Pick<TestContext, 'after'>, { maxBlocked = 100 } = {}) {
  const time = startVirtualTime(t)
  const out: Sent[] = []
  const outcomes: Record<number, unknown> = {}
  const counts = { repeats: 0 }
  const keysOf = ({ keys }: Item) => keys
  const pending = new PendingRequests<Item, string>({
    deadlineMs: 1_000_000,
    keysOf,
    maxOfSubject: Infinity,
  })
  const isolated = new Isolation<Item, string>(pending, {
    send: (requests) =>
      new Promise((resolve, reject) =>
        out.push({
          ids: requests.map(({ item }) => item.id),
          answer() {
            requests.forEach((sent) => pending.answer(sent, 'answered'))
            resolve()
            return settle()
          },
          fail(code) {
            reject(withCode(code))
            return settle()
          },
        }),
      ),
    keysOf,
    maxBlocked,
    onRepeat: () => counts.repeats++,
  })
  let id = 0
  /** A request whose shared statement was sent, or that is queued. */
  function request(extra: Partial<Item> = {}, state: 'sent' | 'queued' = 'sent') {
    const item = { id: id++, keys: [], hasBegun: false, ...extra }
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const asked: PendingRequest<Item, string> = {
      item,
      subject: '',
      hasBegun: item.hasBegun,
      isGone: () => false,
      askedAt: time.now(),
      state,
      reason: undefined,
      older: undefined,
      newer: undefined,
      resolve,
      reject,
    }
    pending.add(asked)
    const settled = (outcome: unknown) => void (outcomes[item.id] = outcome)
    promise.then(settled, (error: Error & { code: string }) => settled(error.code))
    return asked
  }
  const requests = (count: number, keys: string[] = []) =>
    Array.from({ length: count }, () => request({ keys }))
  const next = () => {
    const first = out.shift() ?? assert.fail('no statement is out')
    assert.ok(first.ids.length > 0, 'a statement for no request')
    return first
  }
  /** A request that was sent alone and met a lock. */
  async function block(extra: Partial<Item> = {}) {
    const blocked = request(extra)
    isolated.takeOver([blocked], withCode(LOCKED))
    await settle()
    return blocked
  }
  return { time, out, outcomes, counts, isolated, pending, request, requests, next, block }
}

/** The ids of the statements in the order in which they are sent; those that hold a bad one fail. */
export async function sentFor({ out }: Pick<ReturnType<typeof startIsolation>, 'out'>, bad: number[]) {
  const sent: number[][] = []
  for (let first = out.shift(); first; first = out.shift()) {
    assert.ok(out.length <= 1, 'two are out at most')
    sent.push(first.ids)
    await (first.ids.some((id) => bad.includes(id)) ? first.fail(BAD_DATA) : first.answer())
  }
  return sent
}
