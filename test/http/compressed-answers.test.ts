// Long answers go out compressed to those who take that, whole or visibly cut off.
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { newPatient, patientWithReadings } from '../support/patient.ts'

const rounds = await startRounds()
const GET = '/casesheet/readings/get'
const { token } = await patientWithReadings(
  rounds,
  Array.from({ length: 1_300 }, (_, index) => 1_700_000_000 + index),
)

/** The answer as it went over the wire. */
async function fetchRaw(path: string, headers: Record<string, string>) {
  const call = request(`${rounds.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  }).end()
  const answer = await new Promise<IncomingMessage>((found, fail) =>
    call.once('response', found).once('error', fail),
  )
  return { headers: answer.headers, body: await buffer(answer) }
}

const plainOf = { br: brotliDecompressSync, gzip: gunzipSync, none: (body: Buffer) => body }

const ENCODINGS: [acceptEncoding: string | undefined, encoding: keyof typeof plainOf][] = [
  [undefined, 'none'],
  ['', 'none'],
  ['identity', 'none'],
  ['deflate, zstd', 'none'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.8', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', 'none'],
  ['*;q=0', 'none'],
  ['identity, gzip;q=0.5', 'none'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['gzip, *', 'gzip'],
  ['gzip;q=2', 'none'],
]
for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
  test(`a streamed range as ${accept} is the same whatever the encoding`, async () => {
    const plain = (await fetchRaw(GET, { accept })).body
    assert.ok(plain.length > 100_000)
    for (const [acceptEncoding, encoding] of ENCODINGS) {
      const wish = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
      const { headers, body } = await fetchRaw(GET, { accept, ...wish })
      assert.equal(headers['content-encoding'], encoding === 'none' ? undefined : encoding, acceptEncoding)
      assert.deepEqual(plainOf[encoding](body), plain)
      assert.ok(encoding === 'none' || body.length < plain.length / 2)
      assert.equal(headers.vary, 'Accept, Accept-Encoding')
    }
  })
}

test('CSV begins with the mark by which spreadsheets know UTF-8', async () => {
  const { body } = await fetchRaw(`${GET}?limit=1`, { accept: 'text/csv' })
  assert.deepEqual([...body.subarray(0, 4)], [0xef, 0xbb, 0xbf, 'p'.charCodeAt(0)])
})

test('one page is sent as it is, and says how long it is', async () => {
  for (const accept of ['application/json', 'text/csv']) {
    const { headers, body } = await fetchRaw(`${GET}?limit=1000`, { accept, 'accept-encoding': 'gzip, br' })
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(Number(headers['content-length']), body.length)
  }
})

/** Lets the first pages of every answer be logged, and none after them. */
async function whileLaterPagesFail(work: () => Promise<void>, { from = 1 } = {}) {
  await runSql(
    rounds.ownerUrl,
    `alter table casesheet.access_log add constraint first_pages_only check (page < ${from}) not valid`,
  )
  try {
    await work()
  } finally {
    await runSql(rounds.ownerUrl, 'alter table casesheet.access_log drop constraint first_pages_only')
  }
}

for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
  test(`${accept} that fails on its way is cut off, so that no client takes it for complete`, async () => {
    await whileLaterPagesFail(async () => {
      await assert.rejects(fetchRaw(GET, { accept }), { code: 'ECONNRESET' })
      const failure = await fetch(rounds.url + GET, {
        headers: { authorization: `Bearer ${token}`, accept, 'accept-encoding': 'identity' },
      })
      assert.equal(failure.status, 200)
      await assert.rejects(failure.text(), /terminated/)
    })
    assert.match(rounds.log(), /a fault of ours/)
  })
}

test('a compressed answer that fails is cut off, or a plain refusal where no byte of it has left', async () => {
  await whileLaterPagesFail(async () => {
    for (const acceptEncoding of ['br', 'gzip', 'br', 'gzip', 'br', 'gzip']) {
      const headers = { accept: 'text/csv', 'accept-encoding': acceptEncoding }
      const call = rounds.call(GET, { token, headers })
      const answer = await call.catch((error: unknown) => assert.match(String(error), /terminated/))
      if (!answer) continue
      assertRefused(answer, 500, 'InternalError')
      for (const header of ['content-encoding', 'content-disposition']) {
        assert.equal(answer.headers.get(header), null, header)
      }
    }
  })
})

test('a compressed answer that fails after its first bytes is cut off', async () => {
  const { add, patientUid, token: own } = await newPatient(rounds)
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(40_000))).toString('base64')
  for (let first = 0; first < 60; first += 30) {
    const readings = Array.from({ length: 30 }, (_, index) => ({
      patientUid,
      readingType: 'acme.noise',
      timestamp: first + index,
      noise: noise(),
    }))
    assert.equal((await add(readings)).status, 200)
  }
  // A page is asked for when the one before it has been compressed.
  await whileLaterPagesFail(
    async () => {
      const answer = await fetch(rounds.url + GET, {
        headers: { authorization: `Bearer ${own}`, accept: 'text/csv', 'accept-encoding': 'gzip' },
      })
      assert.deepEqual([answer.status, answer.headers.get('content-encoding')], [200, 'gzip'])
      await assert.rejects(answer.text())
    },
    { from: 3 },
  )
})
