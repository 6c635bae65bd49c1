import type { ServeConfig } from '../../config/config.ts'
import { LARGEST_BODY, MIN_POOL_SIZE } from '../../config/settings.ts'

/**
 * The settings of one of several processes: limits of a caller, a patient, memory or the database are divided, so that all processes
 * together stay within them. MAX_REQUESTS_WHEN_BUSY is not: it belongs to one event loop.
 */
export function shareOf(config: ServeConfig): ServeConfig {
  const part = (whole: number, min = 1) =>
    Math.max(Math.min(whole, min), Math.floor(whole / config.processes))
  return {
    ...config,
    poolSize: part(config.poolSize, MIN_POOL_SIZE),
    maxWaiting: part(config.maxWaiting),
    maxStreams: part(config.maxStreams),
    rateLimitPerMinute: part(config.rateLimitPerMinute),
    rateLimitRefusedPerMinute: part(config.rateLimitRefusedPerMinute),
    // Less than a body would refuse some bodies at any time.
    rateLimitBytesPerMinute: part(config.rateLimitBytesPerMinute, LARGEST_BODY),
    patientBytesPerDay: part(config.patientBytesPerDay, LARGEST_BODY),
  }
}
