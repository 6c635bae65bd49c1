// A connection to a receiver that can only lead where the rules permit. Three things are true of every one:
// - Its addresses are resolved once, and those that are not permitted are left out; the socket connects to what was checked, so an answer of
//   DNS that changes afterwards has no effect.
// - The address that the socket is connected to is checked once more, before TLS begins.
// - Its certificate is verified for the host of the URL, whatever the environment says.
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { codeOf } from '../../../error-code.ts'
import type { AddressRules } from './allowed-address.ts'
import { createLookUp, type Resolve } from './look-up.ts'

export type Target = { isTls: boolean; host: string; port: number }

type Options = {
  rules: Pick<AddressRules, 'mayConnectTo' | 'isLoopback'>
  resolve: Resolve | undefined
  /** Instead of the certificates that Node trusts. */
  ca: string | undefined
}

/** Why there is no connection. */
export class ConnectionFailure extends Error {
  readonly kind: 'dns' | 'address' | 'refused' | 'timeout' | 'tls'

  constructor(kind: ConnectionFailure['kind']) {
    super(`No connection to the receiver: ${kind}.`)
    this.name = 'ConnectionFailure'
    this.kind = kind
  }
}

export function createConnect({ rules, resolve = createLookUp(), ca }: Options) {
  // Without TLS, nothing leaves the machine.
  const isPermitted = (address: string, { isTls }: Target) =>
    rules.mayConnectTo(address, isIP(address)) && (isTls || rules.isLoopback(address))

  async function permittedAddresses(target: Target, signal: AbortSignal): Promise<LookupAddress[]> {
    const { host } = target
    const found =
      isIP(host) === 0 ? await orFail('dns', resolve(host, signal)) : [{ address: host, family: isIP(host) }]
    const permitted = found.filter(({ address }) => isPermitted(address, target))
    if (permitted.length === 0) throw new ConnectionFailure(found.length === 0 ? 'dns' : 'address')
    return permitted
  }

  /** Connects and, with TLS, shakes hands. Rejects with a ConnectionFailure; a signal that is aborted destroys the socket. */
  return async function connect(target: Target, signal: AbortSignal): Promise<Socket> {
    const { host, port, isTls } = target
    const addresses = await permittedAddresses(target, signal)
    signal.throwIfAborted()
    const lookup: LookupFunction = (_host, { all }, done) => {
      const [first] = addresses
      if (all) done(null, addresses)
      else done(null, first?.address ?? '', first?.family)
    }
    const socket = connectTcp({ host, port, lookup, noDelay: true })
    try {
      await ready(socket, 'connect', signal)
      if (!isPermitted(socket.remoteAddress ?? '', target)) throw new ConnectionFailure('address')
      if (!isTls) return socket
      // A name that ends with a dot is the same one, but not in TLS.
      const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
      const secure = connectTls({
        socket,
        host,
        servername,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
        ...(ca === undefined ? {} : { ca }),
      })
      await orFail('tls', ready(secure, 'secureConnect', signal))
      return secure
    } catch (error) {
      socket.destroy()
      if (error instanceof ConnectionFailure) throw error
      throw new ConnectionFailure(codeOf(error) === 'ETIMEDOUT' ? 'timeout' : 'refused')
    }
  }
}

async function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal) {
  // A request listens for errors while it uses the socket. Between requests an error only ends the socket, which is then not used again.
  socket.on('error', () => undefined)
  await once(socket, event, { signal })
}

async function orFail<T>(kind: ConnectionFailure['kind'], work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch {
    throw new ConnectionFailure(kind)
  }
}
