// Where an issuer's keys may be fetched from. Whoever can change them on their way can sign tokens, so that is https; http
// will do within this machine, and elsewhere where the operator vouches for the network (AUTH_ALLOW_HTTP).

export function mayFetchFrom(address: string, allowHttp: boolean): boolean {
  const url = URL.parse(address)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && (allowHttp || isLoopback(url.hostname))
}

/** `URL` has brought every spelling of an IPv4 address to four numbers, and of ::1 to this one. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
