// The addresses of a name, as every program of the machine finds them: the hosts file, then DNS with its search list.
//
// Such a look-up occupies one of Node's threads until the resolver of the machine gives up. Node has two threads for look-ups, and the
// connections to the database and to the issuer need them too. So DNS is asked first whether it answers for the name, which takes no
// thread. Names for which it does not answer in time are looked up one at a time, and hold up only each other.
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { codeOf } from '../../../error-code.ts'

export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

const ANSWER_WITHIN_MS = 2_000
const MS_PER_SERVER = 1_000
const NO_ANSWER = new Set(['ETIMEOUT', 'ECANCELLED'])

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
  const answered = oneAtATime(lookUp)
  const unanswered = oneAtATime(lookUp)
  return async (host, signal) => {
    const isAnswered = (await isInHostsFile(hostsFile, host)) || (await doServersAnswer(host, servers))
    return isAnswered ? answered(host, signal) : unanswered(host, signal)
  }
}

async function isInHostsFile(path: string, host: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(host.replace(/\.$/, ''))
  })
}

/** That there is no such name is an answer too: the machine may know more, and will not have to wait for it. */
async function doServersAnswer(host: string, servers: string[] | undefined): Promise<boolean> {
  const resolver = new dns.Resolver({ timeout: MS_PER_SERVER, tries: 1 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), ANSWER_WITHIN_MS)
  const asked = [resolver.resolve4(host), resolver.resolve6(host)].map((answer) =>
    answer.then(
      () => true,
      (error: Error) => !NO_ANSWER.has(codeOf(error)),
    ),
  )
  const answers = await Promise.all(asked)
  clearTimeout(timer)
  return answers.every(Boolean)
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
