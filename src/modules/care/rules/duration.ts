// Lengths of time as ISO 8601 writes them, in days, hours and minutes: P2D, PT30M, P1DT12H. A day has 24 hours.

const TIME = '(\\d{1,5}H(\\d{1,6}M)?|\\d{1,6}M)'

export const DURATION_FORM = `^P(\\d{1,4}D(T${TIME})?|T${TIME})$`

const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Of a text that has the form: days, hours and minutes. */
export function partsOf(text: string): number[] {
  const parts = PARTS.exec(text)
  if (!parts) throw new Error('A duration was expected that has days, hours or minutes.')
  return parts.slice(1).map((part) => Number(part ?? 0))
}

export function durationMs(text: string): number {
  const [days = 0, hours = 0, minutes = 0] = partsOf(text)
  return days * DAY + hours * HOUR + minutes * MINUTE
}
