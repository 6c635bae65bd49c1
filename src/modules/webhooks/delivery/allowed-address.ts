// Where webhooks may be sent. A URL comes from outside; without these rules it could make Rounds call what only Rounds can reach: the
// database beside it, the metadata service of a cloud, its own admin port.
//
// - `refuseUrl` judges the text of a URL when an endpoint is added, and again before each attempt.
// - `mayConnectTo` judges an address: each that DNS gives, and the one that the socket is connected to. Names are not judged, because what
//   a name stands for may change at any time.
//
// Each family has a BlockList of its own: one for both would compare 10.1.2.3 with IPv6 networks as ::ffff:10.1.2.3, so ::/3 or
// ::ffff:0:0/96 would match every IPv4 address.
import { BlockList, isIP } from 'node:net'

export type AddressRules = ReturnType<typeof createAddressRules>

/** Special purposes by IANA's registry for IPv4, multicast, and what clouds put elsewhere. */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared with a carrier; the metadata service of Alibaba
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the virtual server of Azure, which every machine there can reach
  '169.254.0.0/16', // link-local; the metadata services of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; the metadata service of Oracle
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/** Everything outside of 2000::/3, the global unicast addresses, and the special purposes within. */
const REFUSED_IPV6 = [
  '::/3', // unspecified, loopback, IPv4-compatible, IPv4-mapped, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64)
  '4000::/2', // unassigned; segment routing (5f00::/16)
  '8000::/1', // unassigned; unique-local (fc00::/7), link-local (fe80::/10), site-local (fec0::/10), multicast (ff00::/8)
  '2001::/23', // protocol assignments: Teredo (2001::/32), benchmarking, AMT, AS112, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which leads to any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** As proxy-addr, which reads TRUST_PROXY, understands the words. */
const NETWORKS_OF_WORDS: Record<string, string[]> = {
  loopback: LOOPBACK,
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** `networks` are the elements of WEBHOOK_ALLOW_NETWORKS: what may be called although it is not public. */
export function createAddressRules(networks: string[]) {
  const isRefused = createMatcher([...REFUSED_IPV4, ...REFUSED_IPV6])
  const isAllowed = createMatcher(networks.flatMap((network) => NETWORKS_OF_WORDS[network] ?? [network]))
  const isLoopback = createMatcher(LOOPBACK)

  /** Whether a connection to the address is permitted. An unreadable address is not. */
  function mayConnectTo(address: string, family: number): boolean {
    // The zone of a link-local address, as in fe80::1%eth0, says nothing about where it is.
    const [bare = ''] = address.split('%')
    if (isIP(bare) === 0 || isIP(bare) !== family) return false
    const embedded = family === 6 ? ipv4Within(bare) : undefined
    // A network that leads to IPv4 leads to every address of it: these must be permitted themselves.
    if (embedded?.by === 'mapped') return mayConnectTo(embedded.address, 4)
    if (embedded && !mayConnectTo(embedded.address, 4)) return false
    return isAllowed(bare) || !isRefused(bare)
  }

  /** Why the URL cannot be that of an endpoint, as a sentence; undefined if it can. */
  function refuseUrl(text: string): string | undefined {
    // URL would leave blanks out and read a backslash as a slash. Others who read the same text may not.
    if (/[\s\\\p{Cc}]/u.test(text))
      return 'The URL must not contain blanks, control characters or backslashes.'
    const url = URL.parse(text)
    if (!url) return 'The URL cannot be read. It must look like https://receiver.example/path.'
    const { protocol, username, password } = url
    if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must begin with https://.'
    if (username !== '' || password !== '') {
      return 'The URL must not contain a user name or a password. Receivers verify the signature instead.'
    }
    if (text.includes('#')) return 'The URL must not have a fragment, which is the part from # on.'
    return refuseHost(hostOf(url), protocol)
  }

  function refuseHost(host: string, protocol: string): string | undefined {
    const known = addressesOf(host)
    const isPermitted = known.some((address) => mayConnectTo(address, isIP(address)))
    if (protocol === 'http:' && !(isPermitted && known.every(isLoopback))) {
      return 'The URL must begin with https://. Only to a loopback address that WEBHOOK_ALLOW_NETWORKS names may it be http://.'
    }
    if (known.length > 0 && !isPermitted) {
      return 'The URL must not name an address that is not public, unless WEBHOOK_ALLOW_NETWORKS names it.'
    }
    return undefined
  }

  return { refuseUrl, mayConnectTo, isLoopback }
}

/** The host as sockets take it: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** The addresses of a host that need no DNS. RFC 6761: localhost, and every name below it, is this machine. */
function addressesOf(host: string): string[] {
  if (isIP(host) !== 0) return [host]
  return /^(?:.*\.)?localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : []
}

function createMatcher(networks: string[]): (address: string) => boolean {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address)
    if (family !== 4 && family !== 6) throw new Error(`${network} is neither an address nor a network.`)
    const bits = Number(prefix ?? (family === 4 ? 32 : 128))
    lists[family].addSubnet(address, bits, `ipv${family}`)
  }
  return (address) => {
    const family = isIP(address)
    return (family === 4 || family === 6) && lists[family].check(address, `ipv${family}`)
  }
}

/** The IPv4 address to which an IPv6 address leads: the same one (::ffff:0:0/96), or one behind a NAT64 (64:ff9b::/96). */
function ipv4Within(address: string): { by: 'mapped' | 'nat64'; address: string } | undefined {
  const groups = groupsOf(address)
  const prefix = groups.slice(0, 6).join(':')
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  const inner = [high >> 8, high & 255, low >> 8, low & 255].join('.')
  if (prefix === '0:0:0:0:0:ffff') return { by: 'mapped', address: inner }
  return prefix === '64:ff9b:0:0:0:0' ? { by: 'nat64', address: inner } : undefined
}

/** The eight groups of an IPv6 address, in lower-case hexadecimal without leading zeros. URL knows every spelling of them. */
function groupsOf(address: string): string[] {
  const [before = '', after] = hostOf(new URL(`http://[${address}]`)).split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  if (after === undefined) return groups(before)
  const zeros = 8 - groups(before).length - groups(after).length
  return [...groups(before), ...Array.from({ length: zeros }, () => '0'), ...groups(after)]
}
