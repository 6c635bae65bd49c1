// What a file holds, what of it would be stored, and whose record it goes into. Nothing is sent yet.
import type { ImportPreview } from '../../../../typescript/src/import/import-readings.ts'
import { useApp } from '../../app.ts'
import type { BringIn } from '../../bring-in/bring-in.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { longDateText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { usePatientNames } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { namedFor } from '../../session/patient-for.ts'
import { fileText } from './import-text.ts'
import { LeftOut } from './left-out.tsx'
import { FileHeading } from './progress.tsx'

type Props = ScreenProps & {
  now: Extract<BringIn, { state: 'asking' | 'previewed' }>
  confirm: () => void
  askAgain: () => void
  again: () => void
}

export function Preview({ now, patientUid, zone, confirm, askAgain, again }: Props) {
  const { person } = useApp().session
  const { file, preview, answers } = now
  const found = preview.types.reduce((sum, { count }) => sum + count, 0)
  const answered = [
    ...(answers.timeZone === undefined ? [] : [`with times of ${answers.timeZone}`]),
    ...(answers.dayFirst === undefined
      ? []
      : [answers.dayFirst ? 'with the day first' : 'with the month first']),
    ...(answers.unit === undefined ? [] : [`with values in ${answers.unit}`]),
  ].join(', ')
  return (
    <div class="bring-in previewed">
      <section class="panel stack" aria-labelledby="file-heading">
        <FileHeading file={file} text={fileText(file, preview.format)} />
        <p role="status">
          {found === 0 ? (
            <strong>Nothing in this file can be imported.</strong>
          ) : (
            <>
              <strong>{countText(found, 'reading')}</strong> {periodText(preview, zone)}
            </>
          )}
        </p>
        {answered !== '' && (
          <p class="small">
            Read {answered}.{' '}
            <button type="button" class="link" onClick={askAgain}>
              Change
            </button>
          </p>
        )}
        {found > 0 && <Types types={preview.types} zone={zone} />}
        <LeftOut preview={preview} />
      </section>
      <section class="panel stack goes-into" aria-labelledby="into-heading">
        <Into patientUid={patientUid} />
        {preview.writtenName !== undefined && (
          <p>
            The file itself names <strong dir="auto">{preview.writtenName}</strong>. Check that this is the
            same person.
          </p>
        )}
        <p class="muted small">
          What is in the record already is not stored twice. A file that was a mistake can be withdrawn as a
          whole right after.
        </p>
        {preview.doubt !== undefined && (
          <p class="notice bad" role="alert">
            {preview.doubt}
          </p>
        )}
        <p class="actions">
          {found > 0 && preview.doubt === undefined && (
            <button type="button" class="button primary add-for" onClick={confirm}>
              Import {countText(found, 'reading')}
              {namedFor(person, patientUid)}
            </button>
          )}
          <button type="button" class="button" onClick={again}>
            Another file
          </button>
        </p>
      </section>
    </div>
  )
}

function Into({ patientUid }: Pick<Props, 'patientUid'>) {
  const { person } = useApp().session
  const name = usePatientNames([patientUid])(patientUid)
  return (
    <div>
      <h2 id="into-heading">Goes into</h2>
      <p class="into-whom" dir="auto">
        {person.patientUids.length > 1 ? 'the record of ' : 'your record, '}
        <strong>{patientUid}</strong>
        {name === patientUid ? '' : `, ${name}`}
      </p>
    </div>
  )
}

function Types({ types, zone }: { types: ImportPreview['types']; zone: string }) {
  return (
    <table class="found-types">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" class="number">
            Readings
          </th>
          <th scope="col">From – to</th>
        </tr>
      </thead>
      <tbody>
        {types.map(({ readingType, unit, count, ...one }) => (
          <tr key={`${readingType} ${unit ?? ''}`}>
            <th scope="row" dir="auto">
              {nameOf(readingType)}
              {unit !== undefined && !isInName(unit, readingType) && (
                <span class="muted small"> in {unitSign(unit)}</span>
              )}
            </th>
            <td class="number">{numberText(count)}</td>
            <td class="muted">{periodText(one, zone)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** "from 3 January 2019 to 17 November 2026", "on 3 January 2019". Nothing where the times are none of a calendar. */
function periodText({ from, to }: Pick<ImportPreview, 'from' | 'to'>, zone: string): string {
  if (from === undefined || to === undefined) return ''
  const [first, last] = [longDateText(from, zone), longDateText(to, zone)]
  return first === last ? `on ${first}` : `from ${first} to ${last}`
}

/** Of steps in steps. */
const isInName = (unit: string, readingType: string) => nameOf(readingType).toLowerCase() === unitSign(unit)
