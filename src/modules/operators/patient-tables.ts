// Every table that has rows of a patient: an export shows its rows, an erasure deletes them, and neither does anything while a schema of
// Rounds has a table or a column that is not named here. So nothing that Rounds stores of a patient is forgotten by one of them.
import type { Client } from 'pg'
import { CommandError } from '../../refusal.ts'

type Lines = {
  /** What a line is called, and how such lines are counted. */
  kind: string
  counted: string
  /** Columns, one after the other. */
  shown: string
  hidden: string
  order: string
  /** Columns that are shown of some rows only. */
  shownIf?: Record<string, string>
}

type PatientTable = {
  name: string
  /** How an export shows its rows. A table without is derived from others, and has any columns. */
  lines?: Lines
  /** It keeps what was done to the rows of another one: a row that is left there keeps its history. */
  historyOf?: { table: string; key: string }
  isPartitioned?: true
  /** It follows from others, and may be written for a while after these are gone. */
  isDerived?: true
}

const AUTHOR = 'author_kind author_id author_name'
const TARGET = `${AUTHOR} reading_type unit fields expect_every label preset`
const RULE = `rule_id ${AUTHOR} reading_type field severity terms label`
const GRANT = 'doctor_id permission reading_types valid_until shared_as contact changed_by changed_at'
const PLACE = 'patient_uid changed_xid'
/** Notes for doctors only are none of an export, which may be given to the patient. */
const NOTE_FOR_PATIENT = { note: "visible_to = 'patient'" }

const derived = (name: string): PatientTable => ({ name, isDerived: true })

/**
 * In the order in which an erasure deletes from them. Without the mark of the patient nothing is written to the tables of alerts, and without the
 * row in care.patients nothing to those of lists.
 */
export const PATIENT_TABLES: readonly PatientTable[] = [
  {
    name: 'casesheet.readings',
    isPartitioned: true,
    // As answers show them: what was sent, and its withdrawal.
    lines: {
      kind: 'reading',
      counted: 'readings',
      shown: 'measured_at sent_timestamp received_at reading_id reading_type details added_by',
      hidden: `${PLACE} details_bytes changed_at withdrawn_at withdrawn_by withdrawn_as withdrawn_reason`,
      order: 'measured_at, reading_id',
    },
  },
  {
    name: 'casesheet.corrections',
    isPartitioned: true,
    lines: {
      kind: 'correction',
      counted: 'corrections',
      shown: 'at reading_id measured_at action corrected_by allowed_as reason',
      hidden: 'patient_uid correction_id',
      order: 'corrections.at, correction_id',
    },
  },
  {
    name: 'casesheet.targets',
    lines: {
      kind: 'target',
      counted: 'targets',
      shown: `${TARGET} state set_by set_at`,
      hidden: `${PLACE} target_id`,
      order: 'set_at, target_id',
    },
  },
  {
    name: 'casesheet.target_changes',
    historyOf: { table: 'casesheet.targets', key: 'patient_uid, reading_type, author_kind, author_id' },
    lines: {
      kind: 'targetChange',
      counted: 'targetChanges',
      shown: `${TARGET} action by at`,
      hidden: 'patient_uid target_id',
      order: 'target_changes.at, target_id',
    },
  },
  {
    name: 'casesheet.looks',
    lines: {
      kind: 'review',
      counted: 'reviews',
      shown:
        'review_id doctor_id practice_id looked_by name at seen_up_to reading_types saw acknowledged note date_says look_again_at undone_at',
      hidden: `${PLACE} visible_to`,
      order: 'looks.at, review_id',
      shownIf: NOTE_FOR_PATIENT,
    },
  },
  {
    name: 'casesheet.rules',
    lines: {
      kind: 'rule',
      counted: 'rules',
      shown: `${RULE} state set_by set_at`,
      hidden: `${PLACE} version_id version_at`,
      order: 'set_at, rule_id',
    },
  },
  {
    name: 'casesheet.rule_changes',
    historyOf: { table: 'casesheet.rules', key: 'patient_uid, rule_id' },
    lines: {
      kind: 'ruleChange',
      counted: 'ruleChanges',
      shown: `${RULE} action by at`,
      hidden: 'patient_uid version_id',
      order: 'rule_changes.at, rule_id',
    },
  },
  {
    name: 'casesheet.grants',
    lines: {
      kind: 'grant',
      counted: 'grants',
      shown: `${GRANT} given_at state`,
      hidden: `${PLACE} grant_id list_key`,
      order: 'grants.changed_at, grant_id',
    },
  },
  {
    name: 'casesheet.grant_changes',
    historyOf: { table: 'casesheet.grants', key: 'patient_uid, doctor_id' },
    lines: {
      kind: 'grantChange',
      counted: 'grantChanges',
      shown: `${GRANT} action`,
      hidden: 'patient_uid grant_id',
      order: 'grant_changes.changed_at, grant_id',
    },
  },
  derived('care.alert_marks'),
  derived('casesheet.alert_deliveries'),
  {
    name: 'casesheet.alerts',
    isDerived: true,
    lines: {
      kind: 'alert',
      counted: 'alerts',
      shown:
        'alert_id rule_id author_kind author_id reading_type field severity label kind limit unit beyond is_late worst newest why since until opened_at ' +
        'acknowledged_at acknowledged_by acknowledged_name acknowledged_doctor acknowledged_practice ended_at ended_because',
      hidden: `${PLACE} version_id since_id acknowledged_value acknowledged_beyond acknowledged_note`,
      order: 'opened_at, alert_id',
    },
  },
  {
    name: 'casesheet.alert_events',
    isDerived: true,
    lines: {
      kind: 'alertEvent',
      counted: 'alertEvents',
      shown:
        'alert_id rule_id author_kind author_id event severity label reading_type field value unit measured_at received_at why ended_because is_announced ' +
        'note by by_name doctor_id practice_id review_id at',
      hidden: 'patient_uid event_id visible_to',
      order: 'alert_events.at, event_id',
      shownIf: NOTE_FOR_PATIENT,
    },
  },
  derived('care.patients'),
  derived('care.marks'),
  derived('care.days'),
  derived('care.evidence'),
  derived('care.newest'),
  derived('care.list_looks'),
  derived('care.alert_clocks'),
  derived('care.alert_looks'),
  {
    // Last: an export shows itself. What an erasure does with it is ERASE_ACCESSES.
    name: 'casesheet.access_log',
    isPartitioned: true,
    lines: {
      kind: 'access',
      counted: 'accesses',
      shown:
        'at read_by allowed_as operation range_from range_to reading_types readings_count request_id page correction_id doctor_id reason',
      hidden: 'patient_uid',
      order: 'access_log.at, request_id, page',
    },
  },
]

/** They name patients too, for others: consumers of changes, until the notice is over, and receivers that asked for some patients. */
const ANNOUNCED_TO = new Set(['casesheet.erasure_notices', 'webhooks.endpoints'])

export const EXPORTED_TABLES = PATIENT_TABLES.flatMap(({ name, lines }) => (lines ? [{ name, lines }] : []))

/** Before anything is done with what is stored of a patient: all of it must be known. Partitions that are detached are of other patients. */
export async function mustKnowAllColumns(client: Client) {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select nspname || '.' || relname as name, array_agg(attname::text) as columns
     from pg_attribute
     join pg_class on pg_class.oid = attrelid
     join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'p')
       and not relispartition
       and nspname in ('casesheet', 'care', 'webhooks')
       and relname !~ '^(access_log|corrections|readings)_[0-9]+$'
       and attnum > 0
       and not attisdropped
     group by nspname, relname
     having bool_or(attname ~ '^patient_uid')`,
  )
  const unknown = rows.flatMap(({ name, columns }) => {
    if (ANNOUNCED_TO.has(name)) return []
    const table = PATIENT_TABLES.find((known) => known.name === name)
    if (!table) return [name]
    if (!table.lines) return []
    const known = `${table.lines.shown} ${table.lines.hidden}`.split(' ')
    return columns.filter((column) => !known.includes(column)).map((column) => `${name}.${column}`)
  })
  if (unknown.length === 0) return
  throw new CommandError(
    `Nothing was done: this version of Rounds does not know ${unknown.join(', ')}, and may leave out something of the patient. Use the version that ran "rounds migrate".`,
  )
}

/** SQL: the lines of an export of patient $1, each as JSON. */
export function linesText(name: string, lines: Lines): string {
  const columns = lines.shown.split(' ').map((column) => {
    const condition = lines.shownIf?.[column]
    return `${condition ? `case when ${condition} then "${column}" end` : `"${column}"`} as "${inCamelCase(column)}"`
  })
  return `
    select row_to_json(line)::text as line
    from (
      select ${columns.join(', ')}
      from ${name}
      where patient_uid = $1
      order by ${lines.order}
    ) as line`
}

const inCamelCase = (column: string) =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
