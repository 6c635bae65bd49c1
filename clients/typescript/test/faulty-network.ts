// A network between a client and Rounds that fails on demand the way networks do: connections cut before a request
// gets through, answers lost after the service has done its work, requests that hang, lines so slow that requests are cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export type FaultyNetwork = Awaited<ReturnType<typeof startFaultyNetwork>>

/** How fast requests go up, and how long each may take before its connection is cut. */
type SlowLine = { bytesPerSecond: number; cutAfterMs: number }

export async function startFaultyNetwork(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let requestsToCut = 0
  let answersToLose = 0
  let lostShare = 0
  let lost = 0
  let isHanging = false
  let line: SlowLine | undefined
  let requests = 0

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      // A reset is what these tests are about; the other end of the pair goes with it.
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    let cutting: NodeJS.Timeout | undefined
    let isAnswered = false
    // In pieces of a tenth of a second, so that headers arrive early, as they do.
    function trickle(rest: Buffer, bytesPerSecond: number) {
      const piece = rest.subarray(0, Math.ceil(bytesPerSecond / 10))
      setTimeout(
        () => {
          far.write(piece)
          if (piece.length < rest.length) trickle(rest.subarray(piece.length), bytesPerSecond)
          else near.resume()
        },
        (1_000 * piece.length) / bytesPerSecond,
      )
    }
    near.on('data', (chunk) => {
      const isNew = /^(GET|POST) /.test(chunk.toString('latin1', 0, 5))
      if (isNew) {
        requests++
        isAnswered = false
      }
      if (isHanging) return
      if (requestsToCut > 0) {
        requestsToCut--
        near.resetAndDestroy()
      } else if (line) {
        if (isNew) cutting = setTimeout(() => near.resetAndDestroy(), line.cutAfterMs)
        near.pause()
        trickle(chunk, line.bytesPerSecond)
      } else far.write(chunk)
    })
    far.on('data', (chunk) => {
      clearTimeout(cutting)
      const isLost = !isAnswered && Math.random() < lostShare
      isAnswered = true
      if (answersToLose > 0 || isLost) {
        answersToLose = Math.max(0, answersToLose - 1)
        lost++
        near.resetAndDestroy()
      } else near.write(chunk)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Cuts the connection of so many requests before Rounds sees them. */
    cutRequests: (count: number) => void (requestsToCut = count),
    /** Passes so many requests on, and cuts the connection when Rounds begins to answer. */
    loseAnswers: (count: number) => void (answersToLose = count),
    /** Loses such a share of the answers from now on. */
    loseShare: (share: number) => void (lostShare = share),
    /** How many answers were lost. */
    lost: () => lost,
    /** Swallows every request from now on. */
    hang: () => void (isHanging = true),
    /** Makes the line slow from now on, or, without, as fast as it is. */
    slowDown: (slow?: SlowLine) => void (line = slow),
    /** How many requests were sent through it. */
    requests: () => requests,
  }
}
