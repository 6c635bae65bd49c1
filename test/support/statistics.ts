// Statistics as a patient asks for them.
import type { Answer, Rounds } from './harness.ts'

export type Summary = Record<'count' | 'min' | 'max' | 'mean' | 'p50' | 'p95' | 'first' | 'last', number>
export type BucketAnswer = {
  start: string
  end: string
  localStart: string
  count: number
  fields: Record<string, Summary>
}
export type StatisticsAnswer = Omit<Answer, 'json'> & {
  json: Omit<Answer['json'], 'data'> & { data: BucketAnswer[]; units: Record<string, string> }
}

export type StatisticsQuery = Record<string, string | number>

export async function askStatistics(
  rounds: Rounds,
  query: StatisticsQuery,
  request: { token: string; headers?: Record<string, string> },
): Promise<StatisticsAnswer> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const answer: unknown = await rounds.call(`/casesheet/readings/statistics?${search.toString()}`, request)
  return answer as StatisticsAnswer
}
