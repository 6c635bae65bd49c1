// The parameters of Patient/{id}/$everything, as a search for Observations.
import type { Searched, Sent } from '../search/search-query.ts'
import { onlyText, refuseParameter } from '../search/search-query.ts'
import { dateFrom } from '../time/fhir-date.ts'

export const EVERYTHING: Searched = {
  parameters: [
    { name: 'start', type: 'date', documentation: 'Observations from this date on.' },
    { name: 'end', type: 'date', documentation: 'Observations up to this date.' },
    { name: '_since', type: 'date', documentation: 'Observations that were updated from this time on.' },
    { name: '_type', type: 'token', documentation: 'Only these types of resources.' },
  ],
  sorts: [],
}

export function readEverything(sent: readonly Sent[], patientUid: string) {
  const types = sent.find(({ name }) => name === '_type')?.values
  const observations: Sent[] = [
    sentAs('patient', patientUid),
    ...datesIn(sent, 'start', 'ge'),
    ...datesIn(sent, 'end', 'le'),
    ...datesIn(sent, '_since', 'ge', '_lastUpdated'),
    ...sent.filter(({ name }) => name === '_count' || name === 'cursor'),
  ]
  return {
    observations,
    isWanted: (type: string) => types?.includes(type) ?? true,
    isFirstPage: onlyText(sent, 'cursor') === undefined,
  }
}

function datesIn(sent: readonly Sent[], name: string, prefix: 'ge' | 'le', as = 'date'): Sent[] {
  const text = onlyText(sent, name)
  if (text === undefined) return []
  if (!dateFrom(text)) throw refuseParameter(name, 'must be a date such as 2025-11-01')
  return [sentAs(as, `${prefix}${text}`)]
}

function sentAs(name: string, text: string): Sent {
  return { name, modifier: '', text, values: [text] }
}
