// The unit of a type with several. None is chosen beforehand but the one that this patient used last: 45 is a severe hypoglycaemia in
// mg/dL and deadly in mmol/L.

import { unitSign } from '../../format/units.ts'
import { Segments } from '../../ui/fields.tsx'

type Props = {
  units: string[]
  chosen: string
  mistake: string | undefined
  onChoose: (unit: string) => void
}

export function UnitChoice({ units, chosen, mistake, onChoose }: Props) {
  const choices = units.map((unit) => [unit, unitSign(unit)] as const)
  return <Segments label="Unit" options={choices} value={chosen} mistake={mistake} set={onChoose} />
}
