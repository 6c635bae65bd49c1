import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import { createAddressRules } from './allowed-address.ts'

const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2000::1 2001:200::1 2001:4860:4860::8888 2003::1
  2606:4700:4700::1111 2a00:1450::1 3ffe:ffff::1 3fff:1000::1`
  .trim()
  .split(/\s+/)
/** The first and the last address of each range, and what is known by its name. */
const SPECIAL = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1
  127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
  192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.1
  192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 100.100.100.200 :: ::1 ::2 ::8.8.8.8 ::127.0.0.1
  ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1
  64:ff9b:1:ffff::1 100::1 100:0:0:1::1 2001::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1
  2001:20::1 2001:30::1 2001:1ff:ffff::1 2001:db8::1 2002::1 2002:7f00:1:: 2002:808:808::
  2620:4f:8000::1 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 a000::1 e000::1 fc00::1 fd00:ec2::254 fdff::1
  fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1`
  .trim()
  .split(/\s+/)

test('public addresses are permitted, every address with a special purpose is not', () => {
  const rules = createAddressRules([])
  for (const address of PUBLIC) assert.equal(rules.mayConnectTo(address, isIP(address)), true, address)
  for (const address of SPECIAL) assert.equal(rules.mayConnectTo(address, isIP(address)), false, address)
  // The same address in the form that a socket for both families reports.
  assert.equal(rules.mayConnectTo('::ffff:8.8.8.8', 6), true)
})

test('what is no address, or one of another family, is not permitted', () => {
  const rules = createAddressRules(['loopback', '0.0.0.0/0', '::/0'])
  for (const text of [
    '',
    'localhost',
    '8.8.8',
    '08.8.8.8',
    '8.8.8.8.',
    '[2003::1]',
    '/run/socket',
    '%eth0',
  ]) {
    for (const family of [0, 4, 6]) assert.equal(rules.mayConnectTo(text, family), false, text)
  }
  assert.equal(rules.mayConnectTo('8.8.8.8', 6), false)
  assert.equal(rules.mayConnectTo('2003::1', 4), false)
})

test('WEBHOOK_ALLOW_NETWORKS permits what it names, and nothing else', () => {
  const cases: [networks: string[], permitted: string[], refused: string[]][] = [
    [
      ['loopback'],
      ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'],
      ['::', '0.0.0.0', '10.0.0.1', 'fe80::1'],
    ],
    [['linklocal'], ['169.254.1.1', 'fe80::1', 'fe80::1%eth0'], ['127.0.0.1', '::1', 'fc00::1']],
    [
      ['uniquelocal'],
      ['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fd00::1'],
      ['127.0.0.1', '169.254.1.1', 'fe80::1'],
    ],
    [['10.1.2.3'], ['10.1.2.3', '::ffff:a01:203'], ['10.1.2.2', '10.1.2.4', '::ffff:a01:204']],
    [
      ['10.1.0.0/16', 'fd12::/32'],
      ['10.1.255.255', 'fd12::1'],
      ['10.2.0.0', 'fd13::1'],
    ],
    [['::1'], ['::1'], ['::', '::2', '127.0.0.1']],
    // IPv6 networks that contain the mapped addresses say nothing about IPv4.
    [
      ['::/0'],
      ['::1', 'fd00::1', 'fe80::1'],
      ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1'],
    ],
    [['::ffff:0:0/96'], [], ['127.0.0.1', '::ffff:127.0.0.1']],
    [
      ['64:ff9b::/96'],
      ['64:ff9b::8.8.8.8'],
      ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
    ],
  ]
  for (const [networks, permitted, refused] of cases) {
    const rules = createAddressRules(networks)
    for (const address of [...permitted, ...PUBLIC]) {
      assert.equal(rules.mayConnectTo(address, isIP(address)), true, `${networks.join()}: ${address}`)
    }
    for (const address of refused) {
      assert.equal(rules.mayConnectTo(address, isIP(address)), false, `${networks.join()}: ${address}`)
    }
  }
})

test('a URL must be https, without user name, password and fragment; any port, path and query', () => {
  const { refuseUrl } = createAddressRules([])
  for (const url of [
    'https://receiver.example',
    'https://receiver.example:8443/a/b?c=d&e=%20',
    'HTTPS://Receiver.Example./',
    'https://münchen.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:444/',
    'https://localhost.example/',
    'https://notlocalhost/',
  ]) {
    assert.equal(refuseUrl(url), undefined, url)
  }
  const cases: [string, RegExp][] = [
    ['', /cannot be read/],
    ['receiver.example', /cannot be read/],
    ['https://', /cannot be read/],
    ['https://receiver.example:99999/', /cannot be read/],
    ['http://receiver.example/', /must begin with https/],
    ['ftp://receiver.example/', /must begin with https/],
    ['wss://receiver.example/', /must begin with https/],
    ['https://user@receiver.example/', /user name/],
    ['https://:word@receiver.example/', /user name/],
    ['https://receiver.example/#part', /fragment/],
    ['https://receiver.example/#', /fragment/],
    ['https://receiver.example/a b', /blanks/],
    ['https://receiver.example\\a', /backslashes/],
    ['https://receiver.example/\u0007', /control/],
    ['https://10.1.2.3/', /not public/],
  ]
  for (const [url, sentence] of cases) assert.match(refuseUrl(url) ?? '', sentence, url)
})

test('http is for loopback alone, and only where it is named', () => {
  const loopback = createAddressRules(['loopback'])
  const all = createAddressRules(['loopback', 'uniquelocal', '0.0.0.0/0'])
  const local = [
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://a.localhost/',
  ]
  for (const url of local) {
    assert.match(createAddressRules([]).refuseUrl(url) ?? '', /must begin with https/, url)
    assert.match(createAddressRules(['uniquelocal']).refuseUrl(url) ?? '', /must begin with https/, url)
    assert.equal(loopback.refuseUrl(url), undefined, url)
    assert.equal(loopback.refuseUrl(url.replace('http:', 'https:')), undefined, url)
  }
  for (const url of ['http://10.0.0.1/', 'http://8.8.8.8/', 'http://receiver.example/', 'http://0.0.0.0/']) {
    assert.match(all.refuseUrl(url) ?? '', /must begin with https/, url)
  }
})
