// What a file leaves open: in which zone its clock ran, whether days or months come first, and the unit of its values. Nothing is assumed.
import { useId, useState } from 'preact/hooks'
import type { Answers, BringIn } from '../../bring-in/bring-in.ts'
import '../../ui/form.css'
import { browserZone } from '../../format/times.ts'
import type { ScreenProps } from '../../screen.ts'
import { Radios } from '../../ui/radios.tsx'
import { bothReadings } from './both-readings.ts'
import { fileText } from './import-text.ts'
import { FileHeading } from './progress.tsx'
import { GoOn, WaysOn } from './ways-on.tsx'

type Props = ScreenProps & {
  now: Extract<BringIn, { state: 'asking' | 'previewed' }>
  answer: (answers: Answers) => void
  again: () => void
}

const OTHER = 'other'

export function AskAboutFile({ now, zone, answer, again }: Props) {
  const { file, preview, answers } = now
  const asks = asked(now)
  const near = [...new Set([browserZone(), zone])]
  const before = answers.timeZone
  const [zoneChoice, setZoneChoice] = useState(before && !near.includes(before) ? OTHER : before)
  const [otherZone, setOtherZone] = useState(before ?? '')
  const setZone: ZoneProps['choose'] = (choice, other = otherZone) => {
    setZoneChoice(choice)
    setOtherZone(other)
  }
  const [dayFirst, setDayFirst] = useState(answers.dayFirst)
  const [unit, setUnit] = useState(answers.unit)
  const [isTried, setTried] = useState(false)
  const timeZone = zoneChoice === OTHER ? otherZone || undefined : zoneChoice
  const example = preview.writtenTime
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    const isZoneKnown = !asks.timeZone || timeZone !== undefined
    if (!isZoneKnown || (asks.dayFirst && dayFirst === undefined) || (asks.unit && unit === undefined)) return
    answer({
      ...(asks.timeZone && timeZone !== undefined && { timeZone }),
      ...(asks.dayFirst && dayFirst !== undefined && { dayFirst }),
      ...(asks.unit && unit !== undefined && { unit }),
    })
  }
  const missing = (isAnswered: boolean) => (isTried && !isAnswered ? 'Choose one.' : undefined)
  return (
    <form class="panel stack form bring-in" noValidate onSubmit={submit}>
      <FileHeading file={file} text={fileText(file, preview.format)} />
      {example !== undefined && (
        <p>
          The file writes times such as <strong class="written">{example}</strong>
        </p>
      )}
      {asks.dayFirst && (
        <Radios
          legend="Which date is that?"
          choices={dateChoices(example)}
          chosen={dayFirst}
          mistake={missing(dayFirst !== undefined)}
          choose={setDayFirst}
        />
      )}
      {asks.unit && (
        <Radios
          legend={`In which unit are its values${preview.writtenValue === undefined ? '' : `, such as ${preview.writtenValue}`}?`}
          choices={[
            ['mmol/L', 'mmol/L', 'Between about 2 and 22.'],
            ['mg/dL', 'mg/dL', 'Between about 40 and 400.'],
          ]}
          chosen={unit}
          mistake={missing(unit !== undefined)}
          choose={setUnit}
        />
      )}
      {asks.timeZone && (
        <ZoneChoice near={near} chosen={zoneChoice} other={otherZone} missing={missing} choose={setZone} />
      )}
      <WaysOn again={again}>
        <GoOn />
      </WaysOn>
    </form>
  )
}

/** What was answered before stays a question that can be answered anew. */
function asked({ preview: { needs = [] }, answers }: Props['now']) {
  return {
    timeZone: needs.includes('timeZone') || answers.timeZone !== undefined,
    dayFirst: needs.includes('dayFirst') || answers.dayFirst !== undefined,
    unit: needs.includes('unit') || answers.unit !== undefined,
  }
}

function dateChoices(example: string | undefined): [boolean, string, string?][] {
  const both = example === undefined ? undefined : bothReadings(example)
  if (!both)
    return [
      [true, 'The day comes first'],
      [false, 'The month comes first'],
    ]
  return [
    [true, both.dayFirst, 'The day comes first.'],
    [false, both.monthFirst, 'The month comes first.'],
  ]
}

type ZoneProps = {
  near: readonly string[]
  chosen: string | undefined
  other: string
  missing: (isAnswered: boolean) => string | undefined
  choose: (choice: string, other?: string) => void
}

function ZoneChoice({ near, chosen, other, missing, choose }: ZoneProps) {
  const id = useId()
  const choiceOf = (name: string): [string, string, string?] =>
    name === browserZone() ? [name, name, 'The zone of this device.'] : [name, name]
  return (
    <>
      <Radios
        legend="In which time zone did the device’s clock run?"
        choices={[...near.map(choiceOf), [OTHER, 'Another zone']]}
        chosen={chosen}
        mistake={missing(chosen !== undefined)}
        choose={(choice) => choose(choice)}
      />
      {chosen === OTHER && (
        <div class="field">
          <label for={id}>Zone</label>
          <select
            id={id}
            class="input"
            value={other}
            aria-invalid={missing(other !== '') !== undefined}
            onChange={({ currentTarget }) => choose(OTHER, currentTarget.value)}
          >
            <option value="">Choose</option>
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <span class="wrong">{missing(other !== '')}</span>
        </div>
      )}
    </>
  )
}
