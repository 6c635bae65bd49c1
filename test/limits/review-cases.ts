// Looks at their largest: the longest notes, the most keys, and as many as some years bring.
import { randomUUID } from 'node:crypto'
import { type Callers, type Case, gets } from './case.ts'

const NOTE = '😀'.repeat(1_000)

export function reviewCases(callers: Callers): Case[] {
  const post = (input: string, status: number, body: () => object | string) => ({
    operation: 'reviews/add',
    input,
    status,
    make: () => {
      const sent = body()
      const text =
        typeof sent === 'string'
          ? sent
          : JSON.stringify({
              patientUid: 'reviewed',
              reviewId: randomUUID(),
              seenUpTo: '0',
              saw: [],
              ...sent,
            })
      return { path: '/care/reviews/add', headers: callers.doctor, body: Buffer.from(text) }
    },
  })
  const list = '/care/timeline?patientUid=reviewed'
  const visibleTo = 'doctors'
  const saw = Array.from({ length: 200 }, () => `alert ${randomUUID()}=1000.000`)
  const reviewId = '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20'
  return [
    post('a note of 4,000 bytes', 200, () => ({ note: NOTE, visibleTo })),
    post('the same reviewId again', 200, () => ({ note: NOTE, visibleTo, reviewId })),
    post('200 alerts', 200, () => ({ saw })),
    post('201 keys', 400, () => ({ saw: [...saw, 'clock=1.000'] })),
    post('a note of 60 KB', 400, () => ({ note: 'x'.repeat(60_000) })),
    post('a note of 60 KB of line breaks', 400, () => ({ note: '\n'.repeat(30_000) })),
    post('a note of 1,000 line breaks', 400, () => ({ note: '\n'.repeat(1_000) })),
    post('a patient who shares nothing', 403, () => ({ patientUid: 'small', note: NOTE })),
    ...gets(callers, 'timeline', [
      ['a page of 5,000 notes of 4,000 bytes', list, 'doctor', 200],
      ['own ones behind 5,000 of others', list, 'limitedDoctor', 200],
      ['a cursor of 6 KB', `${list}&cursor=${'A'.repeat(6_000)}`, 'doctor', 400],
    ]),
  ]
}
