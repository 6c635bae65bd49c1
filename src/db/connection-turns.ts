// Who uses the connections of a pool next: subjects in turn (fair-queue.ts). The pool itself would serve first come, first served,
// and would take a long queue for a database that cannot be reached.
import { FairQueue } from './fair-queue.ts'

type Turn = {
  readonly subject: string
  readonly hasBegun: boolean
  /** Called once there is a connection for it; then `leave` must be called. */
  readonly begin: () => void
  /** Called if it has to make room for another one. */
  readonly refuse: (error: Error) => void
}

export class ConnectionTurns {
  readonly #queue = new FairQueue<Turn>()
  readonly #connections: number
  #inUse = 0

  constructor(connections: number) {
    this.#connections = connections
  }

  get inUse(): number {
    return this.#inUse
  }

  enter(turn: Turn) {
    this.#queue.push(turn)
    this.#beginNext()
  }

  leave() {
    this.#inUse--
    this.#beginNext()
  }

  remove(turn: Turn) {
    this.#queue.remove(turn)
  }

  surplusBeside(subject: string): Turn | undefined {
    return this.#queue.surplusBeside(subject)
  }

  #beginNext() {
    this.#queue.takeInTurn((next) => {
      if (this.#inUse >= this.#connections) return false
      this.#queue.remove(next)
      this.#inUse++
      next.begin()
      return true
    })
  }
}
