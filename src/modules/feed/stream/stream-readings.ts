// GET readings/stream: the changes of one patient as they are committed, for a screen, as server-sent events.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { markAsLast } from '../../../http/limits/one-at-a-time.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { STORED_SYMPTOM } from '../../casesheet/get/stored-examples.ts'
import { limitedToHeader } from '../../casesheet/grants/limited-to.ts'
import { PatientUid } from '../../casesheet/reading.ts'

const StreamQuery = Type.Object({ patientUid: Type.Optional(PatientUid) }, { additionalProperties: false })

const EVENT_ID = `2c4b63a1.1.7421.${STORED_SYMPTOM.readingId}`

export const streamContract = {
  tags: ['casesheet'],
  operationId: 'streamReadings',
  summary: 'Watch the readings of the patient',
  description:
    'Server-sent events, until the token expires, its key is withdrawn, or what the patient shares with the calling doctor changes. `open`: ' +
    'with `limitedTo` where the patient shares only some types with the calling doctor. `change`: a reading that was added, withdrawn or restored, as it is now, or ' +
    'an erasure, in the form of readings/changes. `reset`: changes may have been missed; read the range again. `delay`: ' +
    'for how many seconds a transaction that stays open in the database has held changes back (`heldBackSeconds`), repeated ' +
    'while it lasts, and 0 when it is over. `end`: the server ends the stream and says why; come back after the time in `retry`. patientUid may be left out when the token ' +
    'names exactly one patient. Every change shown is in the access log before it is sent.',
  querystring: StreamQuery,
  headers: Type.Object({
    ...AccessReason,
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
      headers: limitedToHeader,
      content: {
        'text/event-stream': {
          schema: Type.Unsafe<ServerResponse>(Type.String()),
          example: `id: ${EVENT_ID}\nevent: change\ndata: ${JSON.stringify({ state: 'present', reading: STORED_SYMPTOM })}\n\n`,
        },
      },
    },
    ...errorAnswers(() => checkFor(StreamQuery)({ patientUid: '' }), ...MAY_NOT_READ),
  },
}

/** Begins an answer that is written as events; its head goes out with the first of them. */
export function beginStream(reply: FastifyReply) {
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
}
