// How fast two servers answer, asked in turn: whatever else the machine does meanwhile slows down both.
import assert from 'node:assert/strict'

const TIMES = 100

/** The median time of each, in milliseconds. */
export async function mediansSideBySide(urls: string[], token: string): Promise<number[]> {
  const times = urls.map((): number[] => [])
  for (let asked = 0; asked < TIMES; asked++) {
    for (const [index, url] of urls.entries()) {
      const began = performance.now()
      const answer = await fetch(`${url}/casesheet/readings/get?from=1700000000&to=1700000019`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
      times[index]?.push(performance.now() - began)
    }
  }
  return times.map((some) => some.toSorted((a, b) => a - b)[TIMES / 2] ?? Number.NaN)
}
