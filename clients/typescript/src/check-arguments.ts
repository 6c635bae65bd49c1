// Checks of what an app passes, each failure a sentence that says what would be right: plain JavaScript has no compiler to
// do it. Only the shape is checked here; what a reading may hold is for the service to say.

type Fields = Record<string, unknown>

export function mustBeOptions(
  value: unknown,
  name: string,
  known: readonly string[],
): asserts value is Fields {
  if (!isObject(value)) throw new TypeError(`${name} must be an object with options, not ${kindOf(value)}.`)
  const unknown = Object.keys(value).filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  throw new TypeError(`${name} does not know the option ${unknown.join(', ')}. It knows ${known.join(', ')}.`)
}

export function mustBeFunction(value: unknown, name: string) {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, not ${kindOf(value)}.`)
}

/** A number of something, such as attempts; Infinity is allowed, `undefined` stands for the default. */
export function mustBeCount(value: unknown, name: string) {
  const isWhole = Number.isSafeInteger(value) || value === Infinity
  if (value === undefined || (isWhole && Number(value) >= 1)) return
  throw new TypeError(`${name} must be a whole number of at least 1, not ${kindOf(value)}.`)
}

/** Milliseconds; Infinity is allowed, `undefined` stands for the default. */
export function mustBeMs(value: unknown, name: string) {
  if (value === undefined || (typeof value === 'number' && value > 0)) return
  throw new TypeError(`${name} must be a number of milliseconds above 0, not ${kindOf(value)}.`)
}

const CALL_OPTIONS = ['signal', 'timeoutMs', 'mayRepeat', 'reason']

export function mustBeCallOptions(options: unknown) {
  if (options === undefined) return
  mustBeOptions(options, 'The options of a call', CALL_OPTIONS)
  const { signal, timeoutMs, mayRepeat, reason } = options
  if (signal !== undefined && !(isObject(signal) && typeof signal['addEventListener'] === 'function')) {
    throw new TypeError(`signal must be an AbortSignal, such as controller.signal, not ${kindOf(signal)}.`)
  }
  mustBeMs(timeoutMs, 'timeoutMs')
  if (mayRepeat !== undefined) mustBeFunction(mayRepeat, 'mayRepeat')
  if (reason !== undefined && typeof reason !== 'string')
    throw new TypeError(`reason must be a text, not ${kindOf(reason)}.`)
}

type Single = string | number | boolean | undefined
type Query = Record<string, Single | Single[]>

/** What can stand in an address: texts, numbers, booleans, and lists of these. A field that is undefined is left out. */
export function mustBeQuery(query: unknown): asserts query is Query {
  if (!isObject(query)) {
    throw new TypeError(
      `The query must be an object, such as { patientUid: 'patient-1' }, not ${kindOf(query)}.`,
    )
  }
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) mustFitAddress(name, one)
  }
}

function mustFitAddress(name: string, value: unknown) {
  if (value instanceof Date) throw new TypeError(`${name} must be a number: use ${name}: date.getTime().`)
  const fits = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  if (fits || value === undefined) return
  const advice = value === null ? ' Leave it out, or pass undefined.' : ''
  throw new TypeError(`${name} must be a text or a number, not ${kindOf(value)}.${advice}`)
}

/** An empty list passes: the queue has nothing to do then, and the service says what it thinks of it. */
export function mustBeReadings(readings: unknown) {
  for (const reading of [readings].flat()) {
    if (isObject(reading)) continue
    const wanted = 'a reading, such as { patientUid, readingType, timestamp }, or a list of them'
    throw new TypeError(`Pass ${wanted}, not ${kindOf(reading)}.`)
  }
}

export function mustBeGrant(grant: unknown) {
  if (isObject(grant)) return
  throw new TypeError(`Pass a grant, such as { patientUid, doctorId, permission }, not ${kindOf(grant)}.`)
}

export function mustBeTarget(target: unknown) {
  if (isObject(target)) return
  throw new TypeError(
    `Pass a target, such as { patientUid, readingType, unit, fields }, not ${kindOf(target)}.`,
  )
}

export function mustBeReview(review: unknown) {
  if (isObject(review)) return
  throw new TypeError(
    `Pass a review, such as { patientUid, reviewId, ...entry.look }, not ${kindOf(review)}.`,
  )
}

export function mustBeRule(rule: unknown) {
  if (isObject(rule)) return
  throw new TypeError(
    `Pass a rule, such as { patientUid, readingType, severity, value } or { ruleId }, not ${kindOf(rule)}.`,
  )
}

export function mustBeAlert(alert: unknown) {
  if (isObject(alert)) return
  throw new TypeError(`Pass an alert, such as { patientUid, alertId }, not ${kindOf(alert)}.`)
}

export function mustBeEndpoint(endpoint: unknown) {
  if (isObject(endpoint)) return
  throw new TypeError(`Pass an endpoint, such as { url } or { endpointId }, not ${kindOf(endpoint)}.`)
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value is. Never a text: messages end up in logs, and a text may be a token or a patient's id. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Promise) return 'a promise (is an "await" missing?)'
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`
  return KIND[typeof value]
}

const KIND = {
  number: 'a number',
  bigint: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  function: 'a function',
  symbol: 'a symbol',
  undefined: 'undefined',
}
