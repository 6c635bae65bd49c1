// Patients of whom many readings were read rest for as long as that takes, several times over. So a device that sends without end delays
// nobody else. It goes by readings and not by the clock: a slow database is no fault of a patient.
const MAX_RESTING = 1_000

type Rest = { fromReadings: number; msOfReading: number; mostMs: number }

export class RestingPatients {
  readonly #rest: Rest
  /** Until when, by patient. */
  readonly #until = new Map<string, number>()

  constructor(rest: Rest) {
    this.#rest = rest
  }

  afterReading(patientUid: string, readings: number) {
    const { fromReadings, msOfReading, mostMs } = this.#rest
    if (readings >= fromReadings) this.#add(patientUid, Math.min(readings * msOfReading, mostMs))
  }

  afterFailure(patientUid: string) {
    this.#add(patientUid, this.#rest.mostMs)
  }

  has(patientUid: string): boolean {
    return this.#until.has(patientUid)
  }

  /** Those who still rest. */
  all(): string[] {
    for (const [patientUid, until] of this.#until)
      if (until <= performance.now()) this.#until.delete(patientUid)
    return [...this.#until.keys()]
  }

  #add(patientUid: string, ms: number) {
    if (this.#until.size < MAX_RESTING) this.#until.set(patientUid, performance.now() + ms)
  }
}
