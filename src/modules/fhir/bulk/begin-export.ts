// GET $export: begins an export, which is to write down what belongs to it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { prefers } from '../../../http/preferences.ts'
import { queryOf } from '../../../http/request-head.ts'
import { Refusal } from '../../../refusal.ts'
import { isStillServed, type ServedHere } from '../../casesheet/served-here.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'
import { refuseParameter } from '../search/search-query.ts'
import { dateFrom } from '../time/fhir-date.ts'

/** How many of one caller may be there at a time. */
const MAX_EXPORTS = 10
/** How many rows of one caller stay: their times may come back as `_since`. */
const KEPT_EXPORTS = 1_000
/** How much earlier than a `_since` at which no export began a change may be dated. */
const MARGIN = '1 hour'
/** Another one began in the same millisecond. */
const MAX_ATTEMPTS = 5
const MAX_REQUEST_CHARS = 500
const RETRY_AFTER_S = '60'

const FORMATS = ['application/fhir+ndjson', 'application/ndjson', 'ndjson']

/** The instant of `_since`, if it was sent. */
export type Wanted = { since: string | null }

export type Beginning = Wanted & {
  subject: string
  reason: string | null
  /** The path below the base address, and the query. */
  request: string
}

/** What the parameters ask for. One that is not supported is refused: to leave it out would give what was not asked for. */
export function wantedFrom(url: string, prefer: string | undefined): Wanted {
  if (!prefers(prefer, 'respond-async', ''))
    throw new Refusal(
      'ValidationFailed',
      'An export is answered later: send the header Prefer: respond-async.',
    )
  let since: string | null = null
  for (const [name, text] of new URLSearchParams(queryOf(url))) {
    if (name === '_since') {
      if (since !== null) throw refuseParameter(name, 'must be given once')
      since = instantIn(text)
    } else if (name === '_type') mustBeObservation(text)
    else if (name === '_outputFormat') mustBeLines(text)
    else if (name !== '_format' && name !== '_pretty')
      throw refuseParameter(name, 'is not supported by this export: leave it out')
  }
  return { since }
}

/** A plus sign that was not escaped arrives as a blank. */
const unescapedPlus = (text: string) => text.replaceAll(' ', '+')

function instantIn(text: string): string {
  const instant = unescapedPlus(text)
  const date = dateFrom(instant)
  const isInstant =
    date?.offset !== undefined && (date.precision === 'second' || date.precision === 'fraction')
  if (!isInstant)
    throw refuseParameter('_since', 'must be an instant with its offset, such as 2026-11-18T08:00:00.000Z')
  return instant
}

function mustBeObservation(types: string) {
  if (types.split(',').some((type) => type.trim() !== 'Observation'))
    throw refuseParameter('_type', 'must be Observation: nothing else is exported')
}

function mustBeLines(format: string) {
  if (!FORMATS.includes(unescapedPlus(format)))
    throw refuseParameter('_outputFormat', `must be ${FORMATS[0]}: nothing else is served`)
}

type Row = { is_of_this_database: boolean; has_place: boolean; export_id: string | null; slot: number }

/** The id of the export, and the lowest slot of its patients, by which a router finds its cell again. */
export async function beginExport(db: Db, servedHere: ServedHere, beginning: Beginning) {
  const { subject, reason, request, since } = beginning
  if (request.length > MAX_REQUEST_CHARS)
    throw new Refusal(
      'ValidationFailed',
      `The address of an export may have ${MAX_REQUEST_CHARS} characters.`,
    )
  await db.query({ name: 'free-exports', text: FREE_PLACES, values: [subject] }, { subject })
  for (let attempt = 1; ; attempt++) {
    const [row] = await servedHere.decide(async () => {
      const { version } = await servedHere.ofAll()
      const values = [subject, reason, request, since, version]
      return db.query<Row>({ name: 'begin-export', text: BEGIN, values }, { subject })
    })
    if (!row?.is_of_this_database)
      throw new Error(
        'The tables were copied from another database, and "rounds migrate" has not been run since.',
      )
    if (!row.has_place) throw tooManyExports()
    if (row.export_id !== null) return { exportId: row.export_id, slot: row.slot }
    if (attempt === MAX_ATTEMPTS) throw tooManyExports()
    await pause(attempt)
  }
}

function tooManyExports(): Refusal {
  return new Refusal(
    'RateLimited',
    `At most ${MAX_EXPORTS} exports of one subject are kept at a time. Delete those that you have read.`,
    { headers: { 'retry-after': RETRY_AFTER_S } },
  )
}

const FREE_PLACES = `
  with trimmed as (
    delete from fhir.exports
    where export_id in (
      select export_id
      from fhir.exports
      where requested_by = $1::text
      order by transaction_time desc
      offset ${KEPT_EXPORTS}
    )
  )
  update fhir.exports
  set place = null
  where requested_by = $1
    and expires_at <= now()
    and place is not null`

const BEGIN = `
  with history as materialized (
    select generation, open_slots, ${IS_OF_THIS_DATABASE} as is_of_this_database
    from casesheet.feed
    cross join casesheet.cell
    where ${isStillServed('$5')}
  ), earlier as (
    select snapshot, exports.transaction_time = $4::timestamptz as is_exact
    from fhir.exports
    join history using (generation)
    where exports.transaction_time <= $4::timestamptz
    order by exports.transaction_time desc
    limit 1
  ), free as materialized (
    select min(place) as place
    from generate_series(1, ${MAX_EXPORTS}) as place
    where not exists (select from fhir.exports where requested_by = $1::text and exports.place = place.place)
  ), begun as (
    insert into fhir.exports
      (requested_by, allowed_as, reason, request, generation, slots, since, since_snapshot, changed_from, place)
    select $1, 'staff', $2::text, $3::text, generation, open_slots, $4, (select snapshot from earlier),
      case when (select is_exact from earlier) then null else $4::timestamptz - interval '${MARGIN}' end, place
    from history
    cross join free
    where is_of_this_database
      and place is not null
    on conflict do nothing
    returning export_id
  )
  select is_of_this_database, (select place from free) is not null as has_place, (select export_id from begun) as export_id,
    coalesce(lower(open_slots), 0) as slot
  from history`
