// What a search for Observations asks for: its parameters, as the CapabilityStatement names them, and what they mean.
import { relativeTo } from '../../../http/base-address.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { patientOf } from '../observation/patient-reference.ts'
import { bothOf, typesInCategory, typesWithCode, type WantedTypes } from '../observation/type-filter.ts'
import type { Observation } from '../resources.ts'
import { PATIENT } from '../systems.ts'
import { type DateChoice, dateConditionFrom } from '../time/date-search.ts'
import {
  countIn,
  isCountWanted,
  onlyText,
  type Parameter,
  plainValue,
  refuseParameter,
  type Sent,
} from './search-query.ts'
import { matches, type Token, tokenFrom } from './token.ts'

const PATIENT_PARAMETER: Parameter = {
  name: 'patient',
  type: 'reference',
  modifiers: ['Patient', 'identifier'],
  documentation: 'The patient. May be left out if the token names exactly one.',
}

export const OBSERVATION_PARAMETERS: readonly Parameter[] = [
  PATIENT_PARAMETER,
  {
    name: 'subject',
    type: 'reference',
    modifiers: ['Patient', 'identifier'],
    documentation: 'The same as patient.',
  },
  { name: 'category', type: 'token', documentation: 'system|code, several with commas.' },
  { name: 'code', type: 'token', documentation: 'system|code, several with commas.' },
  {
    name: 'date',
    type: 'date',
    documentation: 'With every prefix; may be repeated. Without an offset, UTC is meant.',
  },
  {
    name: 'status',
    type: 'token',
    documentation: 'final, entered-in-error or both with a comma. Without it, final ones are found.',
  },
  { name: '_id', type: 'token', documentation: 'The id, several with commas.' },
  {
    name: '_lastUpdated',
    type: 'date',
    documentation:
      'When it was received, withdrawn or restored, as date; results come in this order. Ask again from a minute before the last one on: what is being stored may appear late.',
  },
]

const MAX_IDS = 20
/** Matches of `_summary=count`: beyond, they are not counted. */
const MAX_COUNTED = 2_000

export type ObservationQuery = {
  patientUid: string | undefined
  /** The ids that are asked for, if any. */
  ids: string[] | undefined
  /** What can match; null for every type. At most one for each value of a list, and all of the catalogue. */
  types: WantedTypes
  dates: DateChoice[]
  /** When it was last updated; `isByUpdate` where that is the order. */
  updates: DateChoice[]
  isByUpdate: boolean
  /** Whether Observations that were entered in error are found, and whether others are. */
  statuses: { isErrorWanted: boolean; isFinalWanted: boolean }
  order: 'asc' | 'desc'
  count: number
  cursor: string | undefined
  hasMatchingCodes: (about: Pick<Observation, 'code' | 'category'>) => boolean
}

export function observationQueryFrom(
  sent: readonly Sent[],
  { base, nowMs }: { base: string; nowMs: number },
): ObservationQuery {
  const tokensOf = (name: string) =>
    sent.filter((one) => one.name === name).map(({ values }) => values.map(tokenFrom))
  const [codes, categories] = [tokensOf('code'), tokensOf('category')]
  const types = [...codes.map(typesWithCode), ...categories.map(typesInCategory)].reduce(bothOf, null)
  return {
    patientUid: patientIn(sent, base),
    ids: idsIn(sent),
    types,
    dates: datesIn(sent, 'date', nowMs),
    updates: datesIn(sent, '_lastUpdated', nowMs),
    statuses: statusesIn(tokensOf('status')),
    ...orderIn(sent),
    count: isCountWanted(sent) ? MAX_COUNTED : countIn(sent),
    cursor: onlyText(sent, 'cursor'),
    hasMatchingCodes: (observation) =>
      (codes.length === 0 || allMatch(codes, observation.code.coding)) &&
      (categories.length === 0 ||
        allMatch(
          categories,
          observation.category?.flatMap(({ coding = [] }) => coding),
        )),
  }
}

/** Each list has a token that one of the codings matches. */
function allMatch(lists: readonly Token[][], codings: Observation['code']['coding'] = []): boolean {
  return lists.every((tokens) => tokens.some((token) => codings.some((coding) => matches(token, coding))))
}

function datesIn(sent: readonly Sent[], wanted: string, nowMs: number): DateChoice[] {
  return sent
    .filter(({ name }) => name === wanted)
    .map(({ name, values }) => values.map((text) => mustBeDate(text, name, nowMs)))
}

function mustBeDate(text: string, name: string, nowMs: number) {
  const condition = dateConditionFrom(text, nowMs)
  if (!condition) {
    throw refuseParameter(
      name,
      'must be a date such as ge2025-11-01 or 2025-11-01T08:30:00Z, with a prefix or without',
    )
  }
  return condition
}

function patientIn(sent: readonly Sent[], base: string): string | undefined {
  const named = sent
    .filter(({ name }) => name === 'patient' || name === 'subject')
    .map((one) => patientNamedBy(one, base))
  const [first, ...others] = new Set(named)
  if (others.length > 0) throw refuseParameter('patient', 'must name one patient')
  return first
}

function patientNamedBy({ name, modifier, values }: Sent, base: string): string {
  const [value = '', ...others] = values
  if (others.length > 0) throw refuseParameter(name, 'must name one patient')
  if (modifier === 'identifier') {
    const { system, code } = tokenFrom(value)
    const patientUid =
      system === PATIENT && code ? patientOf({ identifier: { system, value: code } }) : undefined
    if (patientUid === undefined)
      throw refuseParameter(name, `must be an identifier of the system ${PATIENT}`)
    return mustBePatientUid(patientUid, name)
  }
  return mustBePatientUid(relativeTo(base, plainValue(value)).replace(/^Patient\//, ''), name)
}

const isPatientUid = checkFor(PatientUid)

/** As in every other operation: staff could otherwise fill the access log with ids that no patient has. */
export function mustBePatientUid(patientUid: string, name: string): string {
  const [error] = isPatientUid(patientUid)
  if (error) throw refuseParameter(name, error.message)
  return patientUid
}

function idsIn(sent: readonly Sent[]): string[] | undefined {
  const lists = sent.filter(({ name }) => name === '_id').map(({ values }) => values.map(plainValue))
  const [first, ...others] = lists
  if (!first) return undefined
  const ids = [...new Set(first)].filter((id) => others.every((list) => list.includes(id)))
  if (ids.length > MAX_IDS) throw refuseParameter('_id', `must not have more than ${MAX_IDS} values`)
  return ids
}

const FINAL: Sent = { name: 'status', modifier: '', text: 'final', values: ['final'] }

/** The search as it was understood: without a status, final ones are meant. */
export function withStatus(sent: readonly Sent[]): readonly Sent[] {
  return sent.some(({ name }) => name === 'status') ? sent : [...sent, FINAL]
}

const STATUS_SYSTEM = 'http://hl7.org/fhir/observation-status'

/** As elsewhere, a reading that was withdrawn is shown to those who ask for it. */
function statusesIn(lists: readonly Token[][]) {
  if (lists.length === 0) return { isErrorWanted: false, isFinalWanted: true }
  const isWanted = (code: string) =>
    lists.every((tokens) => tokens.some((token) => matches(token, { system: STATUS_SYSTEM, code })))
  return { isErrorWanted: isWanted('entered-in-error'), isFinalWanted: isWanted('final') }
}

function orderIn(sent: readonly Sent[]): Pick<ObservationQuery, 'order' | 'isByUpdate'> {
  const isUpdateAsked = sent.some(({ name }) => name === '_lastUpdated')
  const sort = onlyText(sent, '_sort') ?? (isUpdateAsked ? '_lastUpdated' : '-date')
  const [, minus, by] = /^(-?)(date|_lastUpdated)$/.exec(sort) ?? []
  if (by === undefined) throw refuseParameter('_sort', 'must be date, -date, _lastUpdated or -_lastUpdated')
  // They are looked up in one order or the other.
  if (isUpdateAsked && by === 'date')
    throw refuseParameter('_sort', 'must be _lastUpdated or -_lastUpdated beside _lastUpdated')
  return { order: minus === '-' ? 'desc' : 'asc', isByUpdate: by === '_lastUpdated' }
}
