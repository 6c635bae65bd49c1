// What a tool is. Its arguments are those of the operation that it calls, but for times, which models write as text.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { checkFor } from '../../../http/json/validation.ts'
import { refuseFields } from '../../../refusal.ts'
import { END_OF_9999, FIRST_MILLISECONDS } from '../../casesheet/epoch-time.ts'
import { ONE_LINE } from '../../casesheet/reading.ts'

/** The request in which a tool is called, as the access log and the rules of access see it. */
export type ToolCall = {
  request: Pick<FastifyRequest, 'caller' | 'headers' | 'id' | 'raw'>
  reply: FastifyReply
}

export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: object
  outputSchema: object
  call: (sent: unknown, call: ToolCall) => Promise<CallToolResult>
}

type Described<Arguments extends TObject> = {
  name: string
  title: string
  description: string
  takes: Arguments
  answers: TObject
  run: (asked: Static<Arguments>, call: ToolCall) => Promise<CallToolResult>
}

export function defineTool<Arguments extends TObject>({
  takes,
  answers,
  run,
  ...described
}: Described<Arguments>): Tool {
  const check = checkFor(takes)
  const { readingType } = takes.properties
  return {
    ...described,
    inputSchema: readingType ? withTypesInBothForms(published(takes)) : published(takes),
    outputSchema: published(answers),
    call: async (sent, call) => {
      const asked = readingType ? inFormOf(readingType, sent) : sent
      const errors = check(asked)
      if (errors.length > 0) throw refuseFields(errors)
      return run(asked as Static<Arguments>, call)
    },
  }
}

/** A model that has learned one form from a tool uses it with all: a type is taken as a text and as a list of one. */
function withTypesInBothForms(schema: Published): object {
  const { description, examples: _examples, ...given } = schema.properties['readingType'] ?? {}
  const isList = given['type'] === 'array'
  const one = isList ? given['items'] : given
  const list = isList ? given : { type: 'array', items: given, minItems: 1, maxItems: 1 }
  const readingType = { ...(description === undefined ? {} : { description }), anyOf: [one, list] }
  return { ...schema, properties: { ...schema.properties, readingType } }
}

function inFormOf(schema: TSchema, sent: unknown): unknown {
  const { readingType, ...others } = Object(sent) as Record<string, unknown>
  if ((schema as { type?: unknown }).type === 'array')
    return typeof readingType === 'string' ? { ...others, readingType: [readingType] } : sent
  if (!Array.isArray(readingType)) return sent
  if (readingType.length !== 1)
    throw refuseFields([{ pointer: '/readingType', message: 'must be one type: call the tool for each' }])
  return { ...others, readingType: readingType[0] as unknown }
}

type Published = { properties: Record<string, Record<string, unknown>> }

/** Without the words that only our own messages need. */
function published(schema: TObject): Published {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
  ) as Published
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.(\d{1,6}))?)?(?:Z|[+-]\d{2}:\d{2})$/

/** An instant with its zone: a time without one would have to be guessed. */
export function Instant(description: string) {
  return Type.String({
    pattern: INSTANT.source,
    description: `${description} RFC 3339 with a zone, such as 2026-11-01T08:00:00+01:00.`,
    'x-mustBe': MUST_BE_INSTANT,
  })
}

const MUST_BE_INSTANT =
  'a time with its zone, such as 2026-11-01T08:00:00+01:00, from 1970 to the end of the year 9999'

/** The instant as operations take it. */
export function epochOf(name: string, text: string): number {
  const [, date = '', fraction = ''] = INSTANT.exec(text) ?? []
  const ms = Date.parse(text) + Number(fraction.slice(3).padEnd(3, '0')) / 1_000
  // `Date` makes the 2nd of March of the 30th of February.
  const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date)
  if (!isDay || !(ms >= 0 && ms <= END_OF_9999))
    throw refuseFields([{ pointer: `/${name}`, message: `must be ${MUST_BE_INSTANT}` }])
  return ms < FIRST_MILLISECONDS ? ms / 1_000 : ms
}

/** The times that are given, as operations take them. */
export function timesIn(given: Record<string, string | undefined>): { from?: number; to?: number } {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, epochOf(name, text)]],
    ),
  )
}

const Reason = Type.String({
  minLength: 3,
  maxLength: 200,
  pattern: ONE_LINE,
  description: 'Why staff reads, for the access log, which shows it to the patient. Others need none.',
  'x-mustBe': 'a text of 3 to 200 characters without control characters',
})

/** The arguments of a tool that reads a patient. */
export function readArguments<Own extends TProperties>(own: Own) {
  return Type.Object({ ...own, reason: Type.Optional(Reason) }, { additionalProperties: false })
}

/** The call with the reason of the arguments, where the header of other requests would have it. */
export function callFor({ request, reply }: ToolCall, reason: string | undefined): ToolCall {
  if (reason === undefined) return { request, reply }
  const headers = { ...request.headers, 'x-access-reason': encodeURIComponent(reason.toWellFormed()) }
  return { request: { ...request, headers }, reply }
}
