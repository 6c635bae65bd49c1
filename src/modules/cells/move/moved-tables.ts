// The tables that hold a patient's data, and move with the patient.

export const TABLES = [
  'casesheet.readings',
  'casesheet.corrections',
  'casesheet.grants',
  'casesheet.grant_changes',
  'casesheet.targets',
  'casesheet.target_changes',
  'casesheet.reviews',
  'casesheet.rules',
  'casesheet.rule_changes',
  'casesheet.alerts',
  'casesheet.alert_events',
  'casesheet.access_log',
] as const
export type MovedTable = (typeof TABLES)[number]

/**
 * What is derived from them, each with the patient. It does not move: the new cell makes it anew. Without the row of the first table,
 * nothing is written to the other tables of lists, and without a rule nothing to those of alerts.
 */
export const DERIVED_TABLES = [
  'care.patients',
  'care.patient_zones',
  'care.stale',
  'care.summary_days',
  'care.summaries',
  'care.looks',
  'care.alert_marks',
  'care.rule_clocks',
  'care.alert_looks',
] as const

/** SQL: the tables and partitions in which their rows lie, as `moved`, the name of the table, and `relid`. */
export const LEAVES = `(
    select moved, coalesce(tree.relid, moved::regclass) as relid
    from unnest(array['${TABLES.join("', '")}']) as moved
    left join lateral pg_partition_tree(moved::regclass) as tree on isleaf
  )`

/** SQL: whether one of them has a row for which the condition is true. */
export const isAnyHeld = (condition = 'true') =>
  `(${TABLES.map((table) => `exists (select from ${table} where ${condition})`).join(' or ')})`
