// The addresses of a name: those of the hosts file, else those of DNS, else those that the machine finds, as with its search list.
//
// A look-up of the machine occupies one of Node's threads until the resolver of the machine gives up. Node has two threads for look-ups,
// and the connections to the database and to the issuer need them too. So only names that neither the hosts file nor DNS knows are
// looked up like this, one at a time: one that hangs holds up only others of them. DNS is asked without a thread.
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { codeOf } from '../../../error-code.ts'

export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** A query is repeated, because a packet may be lost; each wait is twice as long as the one before. */
const QUERIES = { timeout: 1_000, tries: 3 }
/** No such name, or no address of this family. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA'])

type Machine = {
  /** Occupies a thread. */
  lookUp: (host: string) => Promise<LookupAddress[]>
  hostsFile: string
  /** Name servers; those of the machine without. */
  servers?: string[]
}

const THIS_MACHINE: Machine = {
  lookUp: (host) => dns.lookup(host, { all: true, order: 'verbatim' }),
  hostsFile: '/etc/hosts',
}

export function createLookUp({ lookUp, hostsFile, servers }: Machine = THIS_MACHINE): Resolve {
  const lookUpNext = oneAtATime(lookUp)
  return async (host, signal) => {
    const listed = await inHostsFile(hostsFile, host)
    if (listed.length > 0) return listed
    // The search list makes a name of one without a dot.
    const found = host.includes('.') ? await inDns(host, servers, signal) : []
    return found.length > 0 ? found : lookUpNext(host, signal)
  }
}

const asFound = (address: string): LookupAddress => ({ address, family: isIP(address) })

async function inHostsFile(path: string, host: string): Promise<LookupAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(host.replace(/\.$/, '')) ? asFound(address) : []
  })
}

/** None if DNS says that there is none. Rejects if it does not answer. */
async function inDns(
  host: string,
  servers: string[] | undefined,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  const resolver = new dns.Resolver(QUERIES)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(asFound) : []))
  for (const answer of answers)
    if (found.length === 0 && answer.status === 'rejected' && !NOT_FOUND.has(codeOf(answer.reason)))
      throw answer.reason
  return found
}

/** The others wait. One that is aborted while it waits does nothing. */
function oneAtATime(lookUp: Machine['lookUp']): Resolve {
  let last: Promise<unknown> = Promise.resolve()
  return (host, signal) => {
    const found = last.then(() => {
      signal.throwIfAborted()
      return lookUp(host)
    })
    last = found.catch(() => undefined)
    return found
  }
}
