import type { ScreenProps } from '../../screen.ts'

export function Today({ patientUid }: ScreenProps) {
  return <p dir="auto">Today of {patientUid}</p>
}
