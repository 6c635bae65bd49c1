// Sleep comes in segments: asleep (since iOS 16 with its stage), awake, in bed. Segments of one source that follow each other without a gap
// are one sleep, and become one reading; nothing else is put together. Time in bed is no sleep.
import type { Findings } from '../../import-contract.ts'
import { instantIn } from './times.ts'
import type { Attributes } from './xml.ts'

const PREFIX = 'HKCategoryValueSleepAnalysis'
const STAGES: Readonly<Record<string, keyof Minutes | 'asleep'>> = {
  Asleep: 'asleep',
  AsleepUnspecified: 'asleep',
  AsleepCore: 'light',
  AsleepDeep: 'deep',
  AsleepREM: 'rem',
  Awake: 'awake',
}
const MAX_OPEN = 100

type Minutes = { deep: number; light: number; rem: number; awake: number }
type Sleep = {
  from: number
  to: number
  source: unknown
  asleepMs: number
  stages: Partial<Minutes>
  segments: number
}

export function createSleeps(found: Findings) {
  const open = new Map<unknown, Sleep>()

  function end(sleep: Sleep) {
    open.delete(sleep.source)
    const { from, to, source, asleepMs, stages, segments } = sleep
    if (asleepMs === 0) return found.skipped('It says only that someone was awake.', timeText(from), segments)
    const minutes = Object.entries(stages).map(([stage, ms]) => [stage, inMinutes(ms)])
    const fields: Partial<Minutes> = Object.fromEntries(minutes)
    found.reading({
      readingType: 'sleep',
      timestamp: to,
      startedAt: from,
      value: inMinutes(asleepMs),
      unit: 'min',
      ...fields,
      source,
    })
  }
  return {
    /** `source` is one object for all records of a source. */
    take({ value = '', startDate, endDate }: Attributes, source: unknown) {
      const name = value.startsWith(PREFIX) ? value.slice(PREFIX.length) : value
      if (name === 'InBed') return found.skipped('Time in bed is no sleep.', startDate ?? '')
      const stage = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined
      const [from, to] = [instantIn(startDate), instantIn(endDate)]
      if (stage === undefined) return found.notUnderstood(`SleepAnalysis ${name}`)
      if (from === undefined || to === undefined || to < from)
        return found.skipped('Its time cannot be read.', startDate ?? '')
      let sleep = open.get(source)
      if (sleep && sleep.to !== from) end(sleep)
      sleep = open.get(source) ?? { from, to: from, source, asleepMs: 0, stages: {}, segments: 0 }
      sleep.to = to
      sleep.segments++
      if (stage !== 'awake') sleep.asleepMs += to - from
      if (stage !== 'asleep') sleep.stages[stage] = (sleep.stages[stage] ?? 0) + to - from
      open.set(source, sleep)
      const [oldest] = open.values()
      if (open.size > MAX_OPEN && oldest) end(oldest)
    },
    end() {
      for (const sleep of open.values()) end(sleep)
    },
  }
}

const inMinutes = (ms: number) => Math.round(ms / 600) / 100
const timeText = (at: number) => new Date(at).toISOString()
