import type { terms as english } from '../en/terms.ts'

export const terms: typeof english = {
  allReadings: 'alle Messwerte',
  until: (day) => `bis ${day}`,
}
