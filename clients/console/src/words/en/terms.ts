/** The terms of sharing, within a sentence. */
export const terms = {
  allReadings: 'all readings',
  until: (day: string) => `until ${day}`,
}
