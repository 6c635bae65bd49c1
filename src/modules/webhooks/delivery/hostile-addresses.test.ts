// Spellings of addresses that must reach nothing. Each is sent with a canary listening on every address of the machine, on the very port that
// the URL names; names are resolved by a name server of the test.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createCertificate } from '../../../../test/support/certificate.ts'
import { startNameServer } from '../../../../test/support/name-server.ts'
import { needs } from '../../../../test/support/needs.ts'
import { portOf, post, startSender } from '../../../../test/support/raw-receiver.ts'
import { until } from '../../../../test/support/until.ts'
import { createAddressRules } from './allowed-address.ts'

// All of 127.0.0.0/8 is loopback only on Linux.
const machine = needs('openssl', 'linux')

let canaryConnections = 0
const canary = createServer((socket) => {
  canaryConnections += 1
  socket.on('error', () => undefined)
  socket.destroy()
})
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ family }) => family === 'IPv6'),
)
const PORT = await portOf(canary, { host: hasIpv6 ? '::' : '0.0.0.0' })
const ownAddresses = Object.values(networkInterfaces()).flatMap((list) =>
  (list ?? []).map(({ address }) => address),
)

const names = await startNameServer({
  'loopback.test': () => ['127.0.0.1'],
  'loopback6.test': () => ['::1'],
  'mapped.test': () => ['::ffff:7f00:1'],
  'nat64.test': () => ['64:ff9b::7f00:1'],
  'unspecified.test': () => ['0.0.0.0', '::'],
  'metadata.test': () => ['169.254.169.254'],
  'private.test': () => ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fd00::1'],
  'alias.test': () => ['other.test', 'another.test', '127.0.0.1'],
  'alias-of-localhost.test': () => ['localhost', '127.0.0.1'],
  'own.test': () => ['127.0.0.1', ...ownAddresses.filter((address) => /^(127|10|192\.168)\./.test(address))],
  'localhost.localdomain': () => ['127.0.0.1'],
  'metadata.google.internal': () => ['169.254.169.254'],
  '127.0.0.1.nip.test': () => ['127.0.0.1'],
  localtest: () => ['127.0.0.1', '::1'],
})
/** Written one after another, with blanks between. `%` stands for the canary's port, except in an escape such as %2e. */
const SPELLINGS = {
  'loopback in the notations of IPv4': String.raw`
    https://127.0.0.1:%/ https://127.0.0.1.:%/ https://127.1:%/ https://127.0.1:%/ https://127.255.255.254:%/
    https://2130706433:%/ https://017700000001:%/ https://0x7f000001:%/ https://0X7F.1:%/ https://0177.0.0.1:%/
    https://0x7f.0x0.0x0.0x1:%/ https://0000177.0.0.01:%/ https://127.0x0.0.1:%/ https://%31%32%37.0.0.1:%/
    https://127%2e0%2e0%2e1:%/ https://127.0.0.1%2e:%/ https:127.0.0.1:%/ https:/127.0.0.1:%/
    https:///127.0.0.1:%/ HTTPS://127.0.0.1:%/ https://127.0.0.1:0%/ https://127.0.0.1:%?x=/
    http://127.0.0.1:%/ http://2130706433:%/`,
  'digits and dots of other scripts': String.raw`
    https://１２７．０．０．１:%/ https://127。0。0。1:%/ https://127｡0｡0｡1:%/ https://①②⑦.⓪.⓪.①:%/
    https://１２７.1:%/ https://0x７f.1:%/ https://𝟏𝟐𝟕.𝟎.𝟎.𝟏:%/`,
  localhost: String.raw`
    https://localhost:%/ https://localhost.:%/ https://LOCALHOST:%/ https://a.b.localhost:%/ http://localhost:%/
    https://ｌocalhost:%/ https://localhost%2e:%/ https://%6cocalhost:%/`,
  IPv6: String.raw`
    https://[::1]:%/ https://[0:0:0:0:0:0:0:1]:%/ https://[0000::0001]:%/ https://[::]:%/ https://[0::0]:%/
    https://[::ffff:127.0.0.1]:%/ https://[::FFFF:7F00:1]:%/ https://[0:0:0:0:0:ffff:7f00:1]:%/
    https://[::127.0.0.1]:%/ https://[::ffff:0:127.0.0.1]:%/ https://[64:ff9b::127.0.0.1]:%/
    https://[64:ff9b:1::7f00:1]:%/ https://[2002:7f00:1::]:%/ https://[2001:0:7f00:1::]:%/ https://[fe80::1]:%/
    https://[fe80::1%25lo]:%/ https://[::1%25lo]:%/ https://[::1%lo]:%/ https://[fec0::1]:%/
    https://[ff02::1]:%/ https://[fc00::1]:%/ https://[2001:db8::1]:%/ https://::1:%/ http://[::1]:%/`,
  'this machine, metadata services and other networks': String.raw`
    https://0.0.0.0:%/ https://0:%/ https://0x0:%/ https://00:%/ https://0.1:%/
    https://169.254.169.254/latest/meta-data/ https://2852039166/ https://0xa9fea9fe/
    https://0251.0376.0251.0376/ https://169.254.43518/ http://169.254.169.254/ https://[fd00:ec2::254]/
    https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/ https://100.100.100.200/ https://192.0.0.192/
    https://168.63.129.16/ https://10.0.0.1/ https://172.31.255.255/ https://192.168.1.1/ https://100.64.0.1/
    https://198.18.0.1/ https://224.0.0.1/ https://255.255.255.255/ https://240.0.0.1/`,
  'parts that readers of URLs understand differently': String.raw`
    https://receiver.example@127.0.0.1:%/ https://receiver.example:443@127.0.0.1:%/ https://@127.0.0.1:%/
    https://127.0.0.1:%@receiver.example/ https://receiver.example\@127.0.0.1:%/
    https://127.0.0.1:%\@receiver.example/ https:\\127.0.0.1:%\ https://127.0.0.1:%#@receiver.example/
    https://127.0.0.1%00.receiver.example:%/ https://127.0.0.1%0d%0aHost:x:%/ //127.0.0.1:%/ 127.0.0.1:%
    https://4294967296:%/ https://256.0.0.1:%/ https://1.2.3.4.5:%/ https://127.0.0.1:65536/
    https://127.0.0.1:-1/`,
  'other protocols': String.raw`
    unix:/var/run/docker.sock http+unix://%2Fvar%2Frun%2Fdocker.sock/x file:///etc/passwd
    file://127.0.0.1/etc/passwd gopher://127.0.0.1:%/_x ftp://127.0.0.1:%/ ws://127.0.0.1:%/
    wss://127.0.0.1:%/ dict://127.0.0.1:%/ ldap://127.0.0.1:%/ data:text/plain,x javascript:fetch(1)
    blob:https://127.0.0.1:%/x jar:https://127.0.0.1:%/!/ https+insecure://127.0.0.1:%/`,
}
const INVISIBLE = [
  'https://12\u00AD7.0.0.1:%/',
  'https://127.0.0.1\u200B:%/',
  'https://local\u00ADhost:%/',
  'https://127.0.0.1 .receiver.example:%/',
  ' https://127.0.0.1:%/',
  'https://127.0.\t0.1:%/',
  'https://127.0.\n0.1:%/',
  'https://127.0.0.1\0.receiver.example:%/',
]
/** Except public ones, which a machine may have. */
const OWN = ownAddresses
  .filter((address) => !address.includes('%') && !createAddressRules([]).mayConnectTo(address, isIP(address)))
  .map((address) => `https://${isIP(address) === 6 ? `[${address}]` : address}:%/`)
const REFUSED_AS_TEXT = [
  ...Object.values(SPELLINGS).flatMap((text) => text.trim().split(/\s+/)),
  ...INVISIBLE,
  ...OWN,
]

const REFUSED_WHEN_RESOLVED: [url: string, error: 'address' | 'dns'][] = [
  ['https://loopback.test:%/', 'address'],
  ['https://LoopBack.TEST.:%/', 'address'],
  ['https://loopback6.test:%/', 'address'],
  ['https://mapped.test:%/', 'address'],
  ['https://nat64.test:%/', 'address'],
  ['https://unspecified.test:%/', 'address'],
  ['https://metadata.test/', 'address'],
  ['https://metadata.google.internal/', 'address'],
  ['https://private.test:%/', 'address'],
  ['https://alias.test:%/', 'address'],
  ['https://alias-of-localhost.test:%/', 'address'],
  ['https://own.test:%/', 'address'],
  ['https://localhost.localdomain:%/', 'address'],
  ['https://127.0.0.1.nip.test:%/', 'address'],
  ['https://localtest:%/', 'address'],
  ['https://unknown.test:%/', 'dns'],
  ['https://unix:/var/run/docker.sock', 'dns'],
  [`https://${'a'.repeat(64)}.test:%/`, 'dns'],
]

void describe('without WEBHOOK_ALLOW_NETWORKS', machine, () => {
  const rules = createAddressRules([])
  const sender = startSender({ rules, resolve: names.resolve })
  const withPort = (url: string) => url.replaceAll(/%(?![\da-fA-F]{2}|lo)/g, String(PORT))

  test(`${REFUSED_AS_TEXT.length} spellings are refused before anything is resolved`, async () => {
    assert.ok(REFUSED_AS_TEXT.length >= 100)
    for (const url of REFUSED_AS_TEXT.map(withPort)) {
      assert.match(rules.refuseUrl(url) ?? '', /^The URL .*\.$/, url)
      assert.equal(await post(sender, url), 'address', url)
    }
    assert.equal(canaryConnections, 0)
  })

  test(`${REFUSED_WHEN_RESOLVED.length} names are refused when they are resolved`, async () => {
    for (const [template, error] of REFUSED_WHEN_RESOLVED) {
      const url = withPort(template)
      assert.equal(rules.refuseUrl(url), undefined, url)
      assert.equal(await post(sender, url), error, url)
    }
    assert.equal(canaryConnections, 0)
  })

  test('the canary sees a connection where one is permitted', async () => {
    const permitted = startSender({ resolve: names.resolve })
    for (const url of ['https://127.1:%/', 'https://localtest:%/']) await post(permitted, withPort(url))
    assert.equal(canaryConnections, 2)
    canaryConnections = 0
  })
})

// 127.0.0.2 stands for a public address, 127.0.0.1 for one that must not be reached.
void describe('a name that leads to an address which is not permitted', machine, () => {
  const certificate = machine.skip ? { key: '', cert: '' } : createCertificate('DNS:receiver.test')
  const only = { rules: createAddressRules(['127.0.0.2']), ca: certificate.cert }

  /** The permitted receiver, and on the same port of 127.0.0.1 one that counts. */
  async function start(addresses: (query: number) => string[]) {
    let forbidden = 0
    const inner = createServer((socket) => {
      forbidden += 1
      socket.destroy()
    })
    const port = await portOf(inner)
    const receiver = createHttpsServer(certificate, (_request, response) =>
      response.setHeader('connection', 'close').end(),
    )
    await portOf(receiver, { port, host: '127.0.0.2' })
    const server = await startNameServer({ 'receiver.test': addresses })
    const sender = startSender({ ...only, resolve: server.resolve })
    return {
      post: () => post(sender, `https://receiver.test:${port}/`),
      queries: () => server.queriesFor('receiver.test'),
      forbidden: () => forbidden,
      stopReceiver: () => receiver.close(),
    }
  }

  test('at every second look-up: each connection goes where its own look-up led', async () => {
    const place = await start((query) => [query % 2 === 1 ? '127.0.0.2' : '127.0.0.1'])
    for (let n = 1; n <= 6; n++) {
      assert.equal(await place.post(), n % 2 === 1 ? 200 : 'address')
      assert.equal(place.queries(), n)
    }
    assert.equal(place.forbidden(), 0)
  })

  test('among others: only these are tried, also when they do not answer', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '10.0.0.1', '::1', 'fd00::1']
    const place = await start(() => ['alias.test', ...addresses])
    for (let n = 0; n < 5; n++) assert.equal(await place.post(), 200)
    place.stopReceiver()
    for (let n = 0; n < 5; n++) assert.equal(await place.post(), 'refused')
    assert.equal(place.forbidden(), 0)
  })

  test('between the check and the connection: it gets not one byte', async () => {
    let bytes = 0
    const sockets: Socket[] = []
    const inner = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined))
      socket.on('data', (chunk) => (bytes += chunk.length))
    })
    const url = `https://receiver.test:${await portOf(inner)}/`
    let reads = 0
    // An address that is another one when it is read again.
    const changing = {
      family: 4,
      get address() {
        reads += 1
        return reads === 1 ? '127.0.0.2' : '127.0.0.1'
      },
    }
    assert.equal(await post(startSender({ ...only, resolve: async () => [changing] }), url), 'address')
    await until(() => sockets.length === 1 && sockets.every((socket) => socket.closed))
    assert.equal(bytes, 0)
  })
})

test('a name of this machine that leads elsewhere is not called without TLS', async () => {
  const rules = createAddressRules(['loopback', 'uniquelocal', '0.0.0.0/0'])
  for (const address of ['10.0.0.1', '8.8.8.8', '169.254.169.254']) {
    const sender = startSender({ rules, resolve: async () => [{ address, family: 4 }] })
    assert.equal(await post(sender, `http://localhost:${PORT}/`), 'address')
  }
})

test(
  'no proxy of the environment is used, and nothing in it switches off the check of certificates',
  machine,
  async () => {
    const certificate = createCertificate('IP:127.0.0.1')
    const port = await portOf(createHttpsServer(certificate, (_request, response) => response.end()))
    const script = `
    import { createSender } from ${JSON.stringify(new URL('send.ts', import.meta.url).href)}
    import { createAddressRules } from ${JSON.stringify(new URL('allowed-address.ts', import.meta.url).href)}
    const outcomes = []
    for (const options of [{ ca: process.env.CA }, {}]) {
      const sender = createSender({ rules: createAddressRules(['loopback']), ...options })
      const attempt = await sender.send({ url: 'https://127.0.0.1:${port}/', headers: {}, body: '{}' })
      outcomes.push(attempt.status ?? attempt.error)
      sender.close()
    }
    console.log(outcomes.join(' '))`
    const proxy = `http://127.0.0.1:${PORT}`
    const proxies = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      {
        env: { ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0', CA: certificate.cert },
      },
    )
    assert.equal(stdout.trim(), '200 tls')
    assert.equal(canaryConnections, 0)
  },
)
