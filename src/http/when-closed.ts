// `close` of an answer is emitted once; `once` would make two objects more for every request. Code that runs after an await may
// add its listener too late: the client may have disconnected meanwhile, and what was taken for the request would never be released.
import type { ServerResponse } from 'node:http'

/** Calls `act` when the answer has ended or its client has disconnected; at once where that has happened already. */
export function whenClosed(response: ServerResponse, act: () => void) {
  if (response.closed) act()
  else response.on('close', act)
}
