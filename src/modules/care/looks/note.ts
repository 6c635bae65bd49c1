// What a doctor says beside a look or an acknowledgement, and who sees it: a note that was shown cannot be taken back.
import { Type } from 'typebox'
import { type FieldError, refuseFields } from '../../../refusal.ts'
import { VISIBLE_LINES } from '../../casesheet/reading.ts'

const MAX_NOTE_CHARS = 1_000
export const VISIBLE_TO = ['patient', 'doctors'] as const
export type VisibleTo = (typeof VISIBLE_TO)[number]

export const Note = Type.String({
  minLength: 1,
  maxLength: MAX_NOTE_CHARS,
  pattern: VISIBLE_LINES,
  description: 'What the doctor says about it.',
  examples: ['Called.'],
  'x-mustBe': `a text of 1 to ${MAX_NOTE_CHARS} characters, not only blanks, without control characters except line breaks`,
})

export const VisibleTo = Type.Enum([...VISIBLE_TO], {
  type: 'string',
  description: 'Who sees the note. Required with a note, and left out without one.',
  examples: ['patient'],
  'x-mustBe': 'patient or doctors',
})

type Said = { note?: string; visibleTo?: VisibleTo }

export function errorsOfNote({ note, visibleTo }: Said): FieldError[] {
  if ((note === undefined) === (visibleTo === undefined)) return []
  const message = note === undefined ? 'must be left out without a note' : 'is required with a note'
  return [{ pointer: '/visibleTo', message }]
}

export function mustSayWhoSees(said: Said) {
  const errors = errorsOfNote(said)
  if (errors.length > 0) throw refuseFields(errors)
}
