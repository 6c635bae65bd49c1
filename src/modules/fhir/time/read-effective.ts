// The time of an Observation → `timestamp`, and where it has them `startedAt` and `utcOffset`.
import { microsecondsOf } from '../../casesheet/epoch-time.ts'
import { isStartOf } from '../observation/reading-to-observation.ts'
import { PERIOD_TYPES } from '../observation/type-mapping.ts'
import { refuseAt } from '../refuse-at.ts'
import { SENT_TIMESTAMP } from '../systems.ts'
import { epochTimeFrom } from './effective-time.ts'

type Json = Readonly<Record<string, unknown>>

type Times = { timestamp: number; startedAt?: number; utcOffset?: string }

export function readEffective(sent: Json, readingType: string): Times {
  const { effectiveDateTime, _effectiveDateTime, effectivePeriod } = sent
  if (effectivePeriod === undefined) {
    const path = 'Observation.effective'
    if (effectiveDateTime === undefined) throw refuseAt(path, 'is required: effectiveDateTime')
    const { epochTime, offset } = mustBeInstant(effectiveDateTime, _effectiveDateTime, path)
    return { timestamp: epochTime, ...offsetField(offset) }
  }
  const path = 'Observation.effective'
  if (!PERIOD_TYPES.includes(readingType)) {
    throw refuseAt(path, `must be effectiveDateTime: only ${PERIOD_TYPES.join(', ')} have a period`)
  }
  const { start, _start, end, _end }: Json = Object(effectivePeriod)
  const began = mustBeInstant(start, _start, `${path}.start`)
  const ended = mustBeInstant(end, _end, `${path}.end`)
  if (began.offset !== ended.offset) throw refuseAt(`${path}.start`, 'must have the same offset as the end')
  if (!isStartOf(ended.epochTime, began.epochTime)) {
    throw refuseAt(path, 'must end after it starts, and after at most 31 days')
  }
  return { timestamp: ended.epochTime, startedAt: began.epochTime, ...offsetField(ended.offset) }
}

function offsetField(offset: string): { utcOffset?: string } {
  return offset === 'Z' ? {} : { utcOffset: offset }
}

function mustBeInstant(
  text: unknown,
  extended: unknown,
  path: string,
): { epochTime: number; offset: string } {
  const epochTime = typeof text === 'string' ? epochTimeFrom(text) : undefined
  if (typeof text !== 'string' || epochTime === undefined) {
    throw refuseAt(
      path,
      'must be a time to the second or finer, up to a microsecond, with an offset, from 1970 to 9999',
    )
  }
  const offset = text.endsWith('Z') ? 'Z' : text.slice(-'+00:00'.length)
  const exact = extended === undefined ? undefined : sentTimestampIn(extended)
  if (exact === undefined) return { epochTime, offset }
  if (!(exact >= 0) || microsecondsOf(exact) !== microsecondsOf(epochTime)) {
    throw refuseAt(path, 'must be the same time as its extension says')
  }
  return { epochTime: exact, offset }
}

/** The number that the extension of a date carries. */
function sentTimestampIn(extended: unknown): number | undefined {
  const { extension }: { extension?: unknown } = Object(extended)
  const found: unknown = Array.isArray(extension)
    ? extension.find((one) => Object(one).url === SENT_TIMESTAMP)
    : undefined
  const { valueDecimal }: { valueDecimal?: unknown } = Object(found)
  return typeof valueDecimal === 'number' && Number.isFinite(valueDecimal) ? valueDecimal : undefined
}
