import type { ruleWords as english } from '../en/rules.ts'

export const ruleWords: typeof english = {
  pressure: (field, name) => `${field === 'systolic' ? 'systolischer' : 'diastolischer'} ${name}`,
  part: (name, field) => `${name}, ${field}`,
  anySymptom: 'irgendein Symptom',
  symptomOf: (severity, isWorst) =>
    isWorst ? `ein Symptom, das ${severity} ist` : `ein Symptom, das ${severity} oder schlimmer ist`,
  missing: (name, length) => `kein Wert für ${name} seit ${length}`,
  rises: (name, amount, within) => `${name} steigt um ${amount} innerhalb von ${within}`,
  falls: (name, amount, within) => `${name} fällt um ${amount} innerhalb von ${within}`,
  above: (amount) => `über ${amount}`,
  below: (amount) => `unter ${amount}`,
  value: (name, bound) => `${name} ${bound}`,
  often: (times, within) => `, ${times}-mal innerhalb von ${within}`,
  endsAfterSymptom: 'Der Alarm endet 72 Stunden nach dem letzten.',
  endsWithReading: 'Der Alarm endet mit dem nächsten Messwert.',
  endsWith: (bound) => `Der Alarm endet mit einem Wert ${bound}.`,
  endsUnchanged: 'Der Alarm endet, wenn sich der neueste Wert nicht mehr so stark geändert hat.',
  endsWhenNot: (bound, isOften) =>
    `Der Alarm endet, wenn der neueste Wert nicht mehr ${isOften ? 'so oft ' : ''}${bound} liegt.`,
  severities: { urgent: 'Dringend', warning: 'Warnung' },
}
