// What only `rounds dev` gives a server. No setting leads here, so that a server in production can have none of it.

export type Development = {
  /** Filled in on the reference page. It should be good for invented people only: the page needs no token. */
  token: string
  /** An IPv4 address of this machine where web apps are too, for phones. */
  host?: string | undefined
}

/** A web app that is being written, on whatever port its tool serves it. */
export function localOrigin({ host = '127.0.0.1' }: Development): RegExp {
  return new RegExp(`^http://(localhost|127\\.0\\.0\\.1|${host.replaceAll('.', '\\.')})(:\\d{1,5})?$`)
}

/** Whether a request came to this machine by its own name: a name that a stranger made lead here gets no token. */
export function isForThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
