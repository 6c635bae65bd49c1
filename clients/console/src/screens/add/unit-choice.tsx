// The unit of a type with several. None is chosen beforehand but the one that this patient used last: 45 is a severe hypoglycaemia in
// mg/dL and deadly in mmol/L.
import { useId } from 'preact/hooks'
import { unitSign } from '../../format/units.ts'

type Props = {
  units: string[]
  chosen: string
  mistake: string | undefined
  onChoose: (unit: string) => void
}

export function UnitChoice({ units, chosen, mistake, onChoose }: Props) {
  const id = useId()
  const wrong = chosen === '' ? mistake : undefined
  return (
    <div class={wrong === undefined ? 'field' : 'field unit-missing'}>
      <span class="label" id={`${id}-unit`}>
        Unit
      </span>
      <div class="seg" role="group" aria-labelledby={`${id}-unit`} aria-describedby={`${id}-wrong`}>
        {units.map((unit) => (
          <button key={unit} type="button" aria-pressed={chosen === unit} onClick={() => onChoose(unit)}>
            {unitSign(unit)}
          </button>
        ))}
      </div>
      <span id={`${id}-wrong`} class="wrong" role="status">
        {wrong}
      </span>
    </div>
  )
}
