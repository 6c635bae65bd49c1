/** Rules in words: what one waits for, and what ends its alert. Each begins small, within a sentence. */
export const ruleWords = {
  pressure: (field: 'systolic' | 'diastolic', name: string) => `${field} ${name}`,
  part: (name: string, field: string) => `${name}, ${field}`,
  anySymptom: 'any symptom',
  symptomOf: (severity: string, isWorst: boolean) =>
    `any symptom that is ${severity}${isWorst ? '' : ' or worse'}`,
  missing: (name: string, length: string) => `no ${name} for ${length}`,
  rises: (name: string, amount: string, within: string) => `${name} rises by ${amount} within ${within}`,
  falls: (name: string, amount: string, within: string) => `${name} falls by ${amount} within ${within}`,
  above: (amount: string) => `above ${amount}`,
  below: (amount: string) => `below ${amount}`,
  value: (name: string, bound: string) => `${name} ${bound}`,
  often: (times: number, within: string) => `, ${times} times within ${within}`,
  endsAfterSymptom: 'It ends 72 hours after the last one.',
  endsWithReading: 'It ends with the next reading.',
  endsWith: (bound: string) => `It ends with a value ${bound}.`,
  endsUnchanged: 'It ends when the newest value has not changed so much.',
  endsWhenNot: (bound: string, isOften: boolean) =>
    `It ends when the newest value is not ${bound}${isOften ? ' so often' : ''}.`,
  severities: { urgent: 'Urgent', warning: 'Warning' },
}
