import type { ScreenProps } from '../../screen.ts'

export function Charts({ patientUid }: ScreenProps) {
  return <p dir="auto">Charts of {patientUid}</p>
}
