// Invented patients of the doctor of the console's tests, with rules that hold for their readings.
import { randomUUID } from 'node:crypto'
import { fillDirectory } from '../../../test/support/directory.ts'
import { runSql } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import type { Stage } from './browser.ts'
import { DOCTOR, glucose, pressure, sharing } from './doctors-patients.ts'

type Terms = { readingType: string; severity: 'notice' | 'warning' | 'urgent' } & Record<string, unknown>

/** As the doctor would have set it some hours ago: it looks at readings from then on. Returns its id. */
export async function setRule(stage: Stage, patientUid: string, terms: Terms, hoursAgo = 6): Promise<string> {
  const ruleId = randomUUID()
  const whole = 'missing' in terms ? terms : { field: 'value', maxAge: 'P1D', ...terms }
  await runSql(
    stage.ownerUrl,
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      patientUid,
      ruleId,
      terms.readingType,
      'field' in whole ? whole.field : null,
      terms.severity,
      JSON.stringify(whole),
      DOCTOR,
    ],
  )
  await runSql(
    stage.ownerUrl,
    `update casesheet.rules
     set changed_at = changed_at - $2::float8 * interval '1 hour', changed_xid = pg_current_xact_id()
     where rule_id = $1`,
    [ruleId, hoursAgo],
  )
  return ruleId
}

/** Until an alert of the rule is in this condition. Returns its id. */
export async function untilAlert(stage: Stage, ruleId: string, condition = 'open'): Promise<string> {
  let alertId: string | undefined
  await until(
    async () => {
      const rows = await runSql<{ alert_id: string }>(
        stage.ownerUrl,
        'select alert_id from casesheet.alerts where rule_id = $1 and condition = $2',
        [ruleId, condition],
      )
      alertId = rows[0]?.alert_id
      return alertId !== undefined
    },
    30_000,
    { everyMs: 100, what: () => `an alert of the rule is ${condition}` },
  )
  return alertId ?? ''
}

export const HIGH_GLUCOSE: Terms = {
  readingType: 'interstitialGlucose',
  unit: 'mmol/L',
  severity: 'urgent',
  threshold: { above: 13.9 },
  clear: { below: 12, count: 2 },
}

export const HIGH_PRESSURE: Terms = {
  readingType: 'bloodPressure',
  field: 'systolic',
  unit: 'mm[Hg]',
  severity: 'warning',
  sustained: { above: 150, count: 3, of: 4 },
  clear: { atMost: 150, count: 3 },
}

const GAINED_WEIGHT: Terms = {
  readingType: 'bodyWeight',
  unit: 'kg',
  severity: 'notice',
  change: { by: 2, within: 'P3D' },
  clear: { count: 1 },
  label: 'Heart failure',
}

export const NO_PRESSURE: Terms = {
  readingType: 'bloodPressure',
  severity: 'warning',
  missing: { for: 'PT1H' },
}

export const weight = (value: number, minutesAgo: number) => ({
  readingType: 'bodyWeight',
  timestamp: Date.now() - minutesAgo * 60_000,
  value,
  unit: 'kg',
})

/** One open alert of each kind: urgent of Mia, warnings of Jonas and Elif, a notice of Ada. */
export async function everyAlert(stage: Stage) {
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  const mia = await sharing(stage, 'child-1', { sharedAs: 'Mia Example' })
  const jonas = await sharing(stage, 'patient-7', { sharedAs: 'Jonas Sample' })
  const elif = await sharing(stage, 'patient-31', { sharedAs: 'Elif Probe', permission: 'view' })
  const ada = await sharing(stage, 'patient-1', { sharedAs: 'Ada Example' })
  await mia.add(Array.from({ length: 120 }, (_, index) => glucose(6 + (index % 7) / 2, 15 * index + 55)))
  await jonas.add([pressure(142, 88, 300), pressure(134, 84, 900)])
  await ada.add([weight(79.6, 5_000), weight(80.1, 2_900), weight(80.2, 300)])
  const rules = {
    mia: await setRule(stage, 'child-1', HIGH_GLUCOSE),
    jonas: await setRule(stage, 'patient-7', HIGH_PRESSURE),
    elif: await setRule(stage, 'patient-31', NO_PRESSURE),
    ada: await setRule(stage, 'patient-1', GAINED_WEIGHT),
  }
  await untilAlert(stage, rules.elif)
  await jonas.add([pressure(158, 96, 130), pressure(161, 97, 70), pressure(164, 99, 10)])
  await untilAlert(stage, rules.jonas)
  await ada.add([weight(82.5, 20)])
  await untilAlert(stage, rules.ada)
  await mia.add([glucose(14.2, 40), glucose(15.1, 25), glucose(16.4, 10)])
  await untilAlert(stage, rules.mia)
  return { mia, jonas, elif, ada, rules }
}
