// What only `rounds dev` gives a server. No setting leads here, so that a server in production can have none of it.

export type Development = {
  /** Filled in on the reference page. It should be good for invented people only: the page needs no token. */
  token: string
  /** An IPv4 address of this machine where web apps are too, for phones. */
  host?: string | undefined
}

const ORIGIN = /^http:\/\/([a-z0-9.]+)(:\d{1,5})?$/

/** Whether a web app that is being written is there, on whatever port its tool serves it. */
export function isLocalOrigin(origin: string, { host }: Development): boolean {
  const name = ORIGIN.exec(origin)?.[1]
  return name !== undefined && ['localhost', '127.0.0.1', host].includes(name)
}

/** Whether a request came to this machine by its own name: a name that a stranger made lead here gets no token. */
export function isForThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
