// The receivers of the samples, to which docs/webhooks.md leads, get messages that the library of
// Standard Webhooks signed, and others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { framesOf, runExamples } from '../support/document-examples.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'
import { until } from '../support/until.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const frames = framesOf(guide)
const codeOf = (file: string) => readFileSync(join(import.meta.dirname, '../../samples', file), 'utf8')

const RECEIVERS = [
  {
    language: 'TypeScript',
    file: 'receiver.mts',
    code: codeOf('receiver.mts'),
    program: process.execPath,
    options: needs(),
  },
  {
    language: 'Python',
    file: 'receiver.py',
    code: codeOf('receiver.py'),
    program: programOf('python3'),
    options: needs('python3'),
  },
]

const secretText = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = secretText()

type Signing = { secret?: string; secondsAgo?: number; id?: string; before?: string }

function headersFor(body: string, { secret: own = secret, secondsAgo = 0, id = 'msg_1', before }: Signing) {
  const sentAt = new Date(Date.now() - secondsAgo * 1_000)
  const signature = new Webhook(own).sign(id, sentAt, body)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': before === undefined ? signature : `${before} ${signature}`,
  }
}

const message = (type: string, changes: object[]) =>
  JSON.stringify({ type, timestamp: '2026-11-17T12:00:00.000Z', data: { changes } })
const reading = (readingId: string, patientUid: string, state = 'present') => ({
  state,
  reading: { patientUid, readingType: 'heartRate', readingId, timestamp: 1_762_000_000.25, note: 'Grüße' },
})
const erasure = (patientUid: string | null) => ({
  state: 'erased',
  patientUid,
  erasedAt: '2026-11-17T12:00:00.000Z',
})

async function startReceiver({ program, file, code }: (typeof RECEIVERS)[number]) {
  const dir = mkdtempSync(join(tmpdir(), 'rounds-receiver-'))
  after(() => rmSync(dir, { recursive: true, force: true }))
  const port = await findFreePort()
  writeFileSync(join(dir, file), code.replace('8000', String(port)))
  const receiver = runProgram(program, [file], { WEBHOOK_SECRET: secret }, dir)
  const url = `http://127.0.0.1:${port}/rounds`
  await until(() => fetch(url).then(Boolean, () => false), 60_000, { what: receiver.output })
  const db = new DatabaseSync(join(dir, 'copy.db'), { readOnly: true, timeout: 5_000 })
  after(() => db.close())
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: 'POST', body, headers })).status
  return {
    ...receiver,
    port,
    post,
    send: (body: string, signing: Signing = {}) => post(body, headersFor(body, signing)),
    /** What it holds, in the order of ids. */
    copy: () =>
      db
        .prepare('select id, change from copy order by id')
        .all()
        .map((row) => ({ id: row['id'], ...JSON.parse(String(row['change'])) })),
  }
}

test('the guide leads to the two receivers, and TypeScript takes 25 lines', () => {
  assert.deepEqual(
    frames.map(({ language }) => language),
    ['sh', 'json', 'json', 'sh'],
  )
  for (const { file } of RECEIVERS) assert.ok(guide.includes(`(../samples/${file})`))
  assert.equal(codeOf('receiver.mts').match(/^.+$/gm)?.length, 25)
  assert.equal(guide.match(/^```/gm)?.length, 2 * frames.length, 'a frame without a language')
})

test('the command of the guide adds an endpoint, and prints its secret', async () => {
  const { ownerUrl } = await createDatabase()
  const environment = { DATABASE_URL: ownerUrl, WEBHOOK_KEY: randomBytes(32).toString('base64') }
  const [output = ''] = await runExamples([frames[0]?.text ?? ''], { environment })
  assert.match(output, /whsec_[\w+/]{43}=/)
  assert.deepEqual(await runSql(ownerUrl, 'select url from webhooks.endpoints'), [
    { url: 'https://copy.example/rounds' },
  ])
})

for (const receiver of RECEIVERS) {
  const { language, options, program, file, code } = receiver
  test(`the receiver in ${language} stores what is signed, once, and nothing else`, options, async () => {
    const { send, post, copy, port, output } = await startReceiver(receiver)
    const first = message('readings.changed', [reading('a', 'patient-1'), reading('b', 'patient-2')])
    const right = headersFor(first, {})

    const refused: [why: string, body: string, headers: Record<string, string>][] = [
      ['nothing is signed', first, {}],
      ['no signature', first, { ...right, 'webhook-signature': '' }],
      ['another secret', first, headersFor(first, { secret: secretText() })],
      ['another body', first.replace('patient-1', 'patient-9'), right],
      ['another id', first, { ...right, 'webhook-id': 'msg_2' }],
      [
        'another time',
        first,
        { ...right, 'webhook-timestamp': String(Number(right['webhook-timestamp']) + 1) },
      ],
      [
        'another version',
        first,
        { ...right, 'webhook-signature': right['webhook-signature'].replace('v1', 'v2') },
      ],
      ['a part of it', first, { ...right, 'webhook-signature': right['webhook-signature'].slice(0, -1) }],
      ['not of ASCII', first, { ...right, 'webhook-signature': 'ä'.repeat(47) }],
      ['older than five minutes', first, headersFor(first, { secondsAgo: 310 })],
      ['of the future', first, headersFor(first, { secondsAgo: -310 })],
    ]
    for (const [why, body, headers] of refused)
      assert.equal(await post(body, headers), 401, `${why}: ${output()}`)
    assert.deepEqual(copy(), [])

    assert.equal(await send(first), 204)
    const both = [
      { id: 'a', ...reading('a', 'patient-1') },
      { id: 'b', ...reading('b', 'patient-2') },
    ]
    assert.deepEqual(copy(), both)
    assert.equal(await send(first, { secondsAgo: 290 }), 204)
    assert.deepEqual(copy(), both)

    for (const [type, changes] of [
      ['endpoint.test', []],
      ['grant.changed', [{ state: 'given', patientUid: 'patient-1' }]],
      ['what.comes.later', [{ state: 'present' }]],
      ['patient.erased', [erasure(null)]],
    ] as const)
      assert.equal(await send(message(type, [...changes])), 204, `${type}: ${output()}`)
    assert.deepEqual(copy(), both)

    // While a secret is rotated there are two signatures, of which one is right.
    const withdrawn = message('readings.changed', [reading('a', 'patient-1', 'withdrawn')])
    assert.equal(await send(withdrawn, { before: right['webhook-signature'] }), 204)
    assert.deepEqual(
      copy().map(({ id, state }) => [id, state]),
      [
        ['a', 'withdrawn'],
        ['b', 'present'],
      ],
    )
    assert.equal(await send(message('patient.erased', [erasure('patient-1')])), 204)
    assert.deepEqual(
      copy().map(({ id }) => id),
      ['b'],
    )
    await breakOff(port)
    const reset = JSON.stringify({
      type: 'feed.reset',
      timestamp: '',
      data: { reason: 'The sequence begins.' },
    })
    assert.equal(await send(reset), 204)
    assert.deepEqual(copy(), [])
    const large = message('readings.changed', [reading('c', 'x'.repeat(1_100_000))])
    assert.ok([413, 'closed'].includes(await send(large).catch(() => 'closed')))
    assert.deepEqual(copy(), [])
    assert.equal(await send(first), 204, output())
  })

  test(`the receiver in ${language} does not start without a secret`, options, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'rounds-receiver-'))
    after(() => rmSync(dir, { recursive: true, force: true }))
    writeFileSync(join(dir, file), code)
    for (const wrong of [{}, { WEBHOOK_SECRET: '' }, { WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }]) {
      const { code: exit, output } = await runProgram(program, [file], wrong, dir).ended
      assert.equal(exit, 1)
      assert.match(output, /WEBHOOK_SECRET must be the secret of the endpoint\./)
    }
  })
}

/** A caller that announces a body, and disconnects in the middle of it. */
async function breakOff(port: number) {
  const socket = connect(port, '127.0.0.1')
  const half = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf of'
  await new Promise((written) => socket.write(half, written))
  socket.destroy()
}
