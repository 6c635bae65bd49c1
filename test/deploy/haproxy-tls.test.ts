// What HAProxy does with and without TLS when deploy/haproxy is given a certificate.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { assertRefused, listen, startRounds } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'

const machine = needs('haproxy', 'openssl')
const portOf = (url: string) => Number(new URL(url).port)

const certificate = join(temporaryDirectory(), 'rounds.pem')
if (!machine.skip) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', certificate]
  const args = ['req', '-x509', '-subj', '/CN=rounds.example', '-out', certificate, ...key]
  execFileSync(programOf('openssl'), args, { stdio: 'pipe' })
}

async function startTls(rounds: { url: string; adminUrl: string }, settings: Record<string, string> = {}) {
  const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }
  const port = await findFreePort()
  const haproxy = await startHaproxy(
    { one: ports, two: ports },
    {
      ROUNDS_CERTIFICATES: certificate,
      ROUNDS_LISTEN_TLS: `127.0.0.1:${port}`,
      ...settings,
    },
  )
  await haproxy.untilBothAreUp()
  return { clearUrl: haproxy.url, pid: haproxy.pid, port }
}

function handshake(port: number, options: object): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  return new Promise((done, fail) => {
    socket.once('secureConnect', () => done(socket.end())).once('error', fail)
  })
}

test(
  'without TLS there is a redirect, a challenge for certbot, and no request with a token',
  machine,
  async (context) => {
    const certbot = createServer(({ url }, response) => response.end(`certbot ${url}`))
    const acmeUrl = await listen(certbot)
    context.after(() => certbot.close())
    const rounds = await startRounds()
    const { clearUrl } = await startTls(rounds, { ROUNDS_ACME: `127.0.0.1:${portOf(acmeUrl)}` })

    const asked = await fetch(`${clearUrl}/docs?x=1`, { redirect: 'manual' })
    assert.deepEqual(
      [asked.status, asked.headers.get('location'), asked.headers.get('strict-transport-security')],
      [308, `https://${new URL(clearUrl).host}/docs?x=1`, null],
    )
    const challenge = '/.well-known/acme-challenge/abc'
    assert.equal(await (await fetch(clearUrl + challenge)).text(), `certbot ${challenge}`)

    for (const path of ['/casesheet/readings/get', challenge]) {
      const token = await rounds.token({ patientUid: 'p1' })
      const refused = await fetch(clearUrl + path, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'manual',
      })
      const answer = {
        status: refused.status,
        headers: refused.headers,
        json: (await refused.json()) as object,
      }
      assertRefused(answer, 403, 'TlsRequired')
    }
    assert.doesNotMatch(rounds.log(), /readings\/get/)
  },
)

test('TLS is 1.2 or 1.3, with HTTP/2, and says that the host has it', machine, async () => {
  const rounds = await startRounds()
  const { port } = await startTls(rounds)
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await handshake(port, {
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    assert.deepEqual([socket.getProtocol(), socket.alpnProtocol], [version, 'h2'])
  }
  // SECLEVEL=0: else our own OpenSSL would refuse before HAProxy is asked.
  await assert.rejects(
    handshake(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' },
  )

  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const stream = session.request({
    ':path': '/appointments/doctors/specialities/list',
    authorization: `Bearer ${await rounds.token()}`,
  })
  const headers = await new Promise<Record<string, unknown>>((found, fail) =>
    stream.once('response', found).once('error', fail),
  )
  assert.deepEqual([headers[':status'], headers['strict-transport-security']], [200, 'max-age=31536000'])
  session.destroy()
})

test(
  'started by root, HAProxy reads the certificate and then gives up the rights of root',
  needs('haproxy', 'openssl', 'root', 'linux'),
  async () => {
    const { pid, port } = await startTls(await startRounds(), { ROUNDS_HAPROXY_USER: 'daemon' })
    await handshake(port, {})
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    for (const name of ['Uid', 'Gid']) assert.match(status, new RegExp(`^${name}:(\\s+[1-9]\\d*){4}$`, 'm'))
    assert.match(status, /^CapEff:\s+0+$/m)
  },
)
