// GET readings/stream: the changes of one patient as they are committed, for a screen, as server-sent events.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { markAsLast } from '../../../http/limits/one-at-a-time.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { STORED_SYMPTOM } from '../get/stored-examples.ts'
import { PatientUid } from '../reading.ts'

const StreamQuery = Type.Object({ patientUid: Type.Optional(PatientUid) }, { additionalProperties: false })

const EVENT_ID = `2c4b63a1.1.7421.${STORED_SYMPTOM.readingId}`

export const streamContract = {
  tags: ['casesheet'],
  operationId: 'streamReadings',
  summary: 'Watch the readings of the patient',
  description:
    'Server-sent events, until the token expires. `change`: a reading that was added, withdrawn or restored, as it is now, or ' +
    'an erasure, in the form of readings/changes. `reset`: changes may have been missed; read the range again. `end`: the ' +
    'server ends the stream and says why; come back after the time in `retry`. patientUid may be left out when the token ' +
    'names exactly one patient. Every change shown is in the access log before it is sent.',
  querystring: StreamQuery,
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        description: 'The id of the last event, to go on behind it. Too old a one gets the event `reset`.',
        ...exampleBeside(EVENT_ID),
      }),
    ),
  }),
  response: {
    200: {
      description: 'Events.',
      content: {
        'text/event-stream': {
          schema: Type.Unsafe<ServerResponse>(Type.String()),
          example: `id: ${EVENT_ID}\nevent: change\ndata: ${JSON.stringify({ state: 'present', reading: STORED_SYMPTOM })}\n\n`,
        },
      },
    },
    ...errorAnswers(
      checkFor(StreamQuery)({ patientUid: '' }),
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
      'WrongCell',
      'PatientMoving',
    ),
  },
}

/** Leaves the answer to `write`; its head goes out with what is written first. */
export async function sendStream(reply: FastifyReply, write: (response: ServerResponse) => Promise<void>) {
  void reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // For proxies that would gather events before they pass them on.
    .header('x-accel-buffering', 'no')
    .hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  markAsLast(reply.raw)
  reply.raw.writeHead(200)
  await write(reply.raw)
  return reply
}
