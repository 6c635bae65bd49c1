// A name server on loopback, whose answers a test decides one by one.
import { createSocket } from 'node:dgram'
import { promises as dns, type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { isIP } from 'node:net'

/**
 * `query` counts from 1, for each name. Addresses, after the names (CNAME) that lead to them; none is an unknown name. `silence`: no
 * answer comes.
 */
type Zone = Record<string, (query: number) => string[] | 'silence'>

const TYPES = { A: 1, CNAME: 5, AAAA: 28 }

export async function startNameServer(zone: Zone) {
  const queries = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { name, end, type } = questionOf(message)
    // Each look-up asks for A and for AAAA; the former is counted.
    if (type === TYPES.A) queries.set(name, (queries.get(name) ?? 0) + 1)
    const found = zone[name]?.(queries.get(name) ?? 1) ?? []
    if (found === 'silence') return
    socket.send(answerTo(message.subarray(0, end), name, type, found), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  // It does not keep the process of the test alive.
  socket.unref()
  const resolver = new dns.Resolver({ timeout: 1_000, tries: 1 })
  const server = `127.0.0.1:${socket.address().port}`
  resolver.setServers([server])

  return {
    server,
    /** Asks the server, and nothing else. Rejects if it knows no address. */
    resolve: async (host: string): Promise<LookupAddress[]> => {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason as Error
      return [ipv4, ipv6].flatMap((found) =>
        found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family: isIP(address) })),
      )
    },
    queriesFor: (name: string) => queries.get(name) ?? 0,
  }
}

function questionOf(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, name: string, type: number, found: string[]): Buffer {
  const records: Buffer[] = []
  let owner = name
  for (const value of found) {
    const family = isIP(value)
    const recordType = family === 0 ? TYPES.CNAME : family === 4 ? TYPES.A : TYPES.AAAA
    if (family === 0 || recordType === type) records.push(recordOf(owner, recordType, value))
    if (family === 0) owner = value
  }
  const head = Buffer.from(question)
  // An answer, with recursion; 3 is an unknown name.
  head.writeUInt16BE(found.length === 0 ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(records.length, 6)
  head.fill(0, 8, 12)
  return Buffer.concat([head, ...records])
}

function recordOf(owner: string, type: number, value: string): Buffer {
  const data = isIP(value) === 0 ? nameBytes(value) : addressBytes(value)
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  // The time to live, at 4, is 0.
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(owner), fields, data])
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'))
  return Buffer.concat([...labels, Buffer.of(0)])
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = address.split('::')
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const zeros = Array.from({ length: 8 - groups(before).length - groups(after).length }, () => 0)
  return Buffer.from(
    [...groups(before), ...zeros, ...groups(after)].flatMap((group) => [group >> 8, group & 255]),
  )
}
