// The unit of a type with several. None is chosen beforehand but the one that this patient used last: 45 is a severe hypoglycaemia in
// mg/dL and deadly in mmol/L.
import { Segments } from '../../design/segments.tsx'
import { unitSign } from '../../format/units.ts'

type Props = {
  units: string[]
  chosen: string
  mistake: string | undefined
  onChoose: (unit: string) => void
}

export function UnitChoice({ units, chosen, mistake, onChoose }: Props) {
  const choices = units.map((unit) => [unit, unitSign(unit)] as const)
  return <Segments label="Unit" choices={choices} chosen={chosen} mistake={mistake} choose={onChoose} />
}
