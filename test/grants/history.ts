// What a patient did to the grant of one doctor, as the client saw it: when each request began and when it was answered. From
// that follows which grants may have been valid during a read, whatever the order in which the service carried them out.

export type Given = { readingTypes: string[] | null; validUntilMs: number }

/** A revocation gives undefined. One that is not answered yet ends never. */
export type Write = { began: number; ended: number; given: Given | undefined }

/** The clock of the database and ours are one, read by two programs. */
const CLOCKS_MS = 20

export const now = () => performance.timeOrigin + performance.now()

export class GrantHistory {
  private writes: Write[] = [{ began: 0, ended: 0, given: undefined }]

  begin(given: Given | undefined): Write {
    const write: Write = { began: now(), ended: Infinity, given }
    this.writes.push(write)
    return write
  }

  /** It was refused, and has changed nothing. */
  forget(write: Write) {
    this.writes = this.writes.filter((other) => other !== write)
  }

  /** What may have been valid at some moment of this time: grants, and undefined where there may have been none. */
  duringRead(from: number, to: number): (Given | undefined)[] {
    // A write is over once another one that began after its answer was answered itself.
    const answered = this.writes.filter(({ ended }) => ended < from)
    const lastBegan = Math.max(...answered.map(({ began }) => began))
    const possible = this.writes.filter(({ began, ended }) => began <= to && ended >= lastBegan)
    return possible.flatMap(({ given }) => {
      if (!given || given.validUntilMs < from - CLOCKS_MS) return [undefined]
      return given.validUntilMs <= to + CLOCKS_MS ? [given, undefined] : [given]
    })
  }

  /** When it was certain for the first time that none is valid any more that was when this time ended. */
  endedAfter(from: number, to: number): number {
    const written = this.writes.filter(({ began, given }) => began > to && !given).map(({ ended }) => ended)
    const expiries = this.duringRead(from, to).map((given) => given?.validUntilMs ?? 0)
    return Math.min(...written, Math.max(...expiries))
  }
}
