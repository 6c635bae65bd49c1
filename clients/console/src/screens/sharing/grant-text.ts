// Grants in plain words.
import type { Grant, GrantChange } from '../../../../typescript/src/client.ts'
import { dateText, dateTimeText, localInput } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { listed } from '../../words/language.ts'
import { words } from '../../words/words.ts'

type Terms = Pick<Grant, 'permission' | 'readingTypes' | 'validUntil' | 'sharedAs'>

/** "blood pressure and heart rate". */
export const whatText = ({ readingTypes }: Pick<Terms, 'readingTypes'>) =>
  readingTypes === null ? words.terms.allReadings : listed(readingTypes.map(nameWithin))

/** "until 1 Mar 2027": the last day, where the grant ends with it. Nothing where it has no end. */
export function untilText({ validUntil }: Pick<Terms, 'validUntil'>, zone: string): string {
  if (validUntil === null) return ''
  const end = Date.parse(validUntil)
  const isEndOfDay = localInput(end, zone).endsWith('T00:00')
  return words.terms.until(isEndOfDay ? dateText(end - 1, zone) : dateTimeText(end, zone))
}

/** Within so many days the patient and the doctor are told of the end. */
const SOON_MS = 7 * DAY_MS

/** The last moment of a grant that ends soon, which may be the end of a day; undefined of another. */
export function endsSoonAt({ state, validUntil }: Pick<Grant, 'state' | 'validUntil'>, now: number) {
  const end = Date.parse(validUntil ?? '')
  return state === 'given' && end > now && end - now <= SOON_MS ? end - 1 : undefined
}

/** A change as a sentence, from its verb on, in which the doctor stands between the two parts. */
export function deedOf(change: Omit<GrantChange, 'at' | 'by'>, patientUid: string, zone: string) {
  if (change.action === 'revoke')
    return { before: `stopped sharing readings of ${patientUid} with`, after: '' }
  const isNew = change.action === 'give'
  const what = `${whatText(change)} of ${patientUid}`
  return {
    before: isNew ? `shared ${what} with` : 'changed what is shared with',
    after: `${isNew ? '' : `: now ${what}`}${termsAfter(change, zone)}`,
  }
}

/** " until 1 Mar 2027, as “Mia Example”, and what they may do beside reading". */
export function termsAfter(terms: Terms, zone: string): string {
  const { permission, sharedAs } = terms
  const until = untilText(terms, zone)
  return [
    until === '' ? '' : ` ${until}`,
    sharedAs === null ? '' : `, as “${sharedAs}”`,
    permission === 'manage' ? `. ${words.sharing.theyManage}` : '',
  ].join('')
}
