// POST at the base: a batch or a transaction. New Observations are stored first; then the GETs of a batch are answered one after
// another, each as the request that it stands for: it counts against the limit of requests, and is checked and logged alike.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusalFrom } from '../../../http/answers/errors.ts'
import { baseOf } from '../../../http/base-address.ts'
import { clientDisconnected, Refusal } from '../../../refusal.ts'
import { hasGone, mayReadOthers, mustNameAPatient } from '../../casesheet/access.ts'
import { sendFhir } from '../answers/send-fhir.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { schema } from '../gets.ts'
import { createAddObservations } from './add-observations.ts'
import { type Done, printBundleResponse } from './bundle-response.ts'
import { mustBeUnconditional } from './must-be-plain-add.ts'
import { readBundle } from './read-bundle.ts'

/**
 * Where the answers of a batch take as much, or it takes longer, further GETs are to be sent by themselves. One of them takes up to 1 MiB
 * too: nothing is read that is then left out.
 */
const ENOUGH_BYTES = 1_048_576
const MAX_MS = 5_000

export function bundleRoutes(app: FastifyInstance, { gets, reading, ids, basePath, now }: PatientDeps) {
  const { addThose, addTransaction } = createAddObservations(reading, ids)

  app.post('/', { schema, onRequest: mustAddOrRead }, async (request, reply) => {
    const { caller, bodyBytes: bytes } = request
    const base = baseOf(request, basePath)
    const sender = { caller, bytes, isGone: hasGone(request), base }
    const { type, resources, asked } = readBundle(request.body, base)
    if (asked.size === 0) mustNameAPatient(caller)
    const sent = resources.filter((_, index) => !asked.has(index))
    const added =
      type === 'batch'
        ? await addThose(sent, sender)
        : await addTransaction(sent, (index) => `Bundle.entry[${index}].resource`, sender)
    const answers = await answerEach(asked, request)
    let next = 0
    const done = resources.map((_, index) => answers.get(index) ?? (added[next++] as Done))
    mustNotAllBeElsewhere(done)
    return sendFhir(reply, printBundleResponse(type, done))
  })

  async function answerEach(asked: ReadonlyMap<number, string>, request: FastifyRequest) {
    const answers = new Map<number, Done>()
    const isGone = hasGone(request)
    const endsAt = now() + MAX_MS
    let bytes = 0
    for (const [index, address] of asked) {
      if (isGone()) throw clientDisconnected()
      const isEnough = bytes >= ENOUGH_BYTES || now() > endsAt
      const answer = isEnough ? enough() : await answerOne(address, { request, isFirst: answers.size === 0 })
      if (typeof answer === 'string') bytes += Buffer.byteLength(answer)
      answers.set(index, answer)
    }
    return answers
  }

  async function answerOne(
    address: string,
    { request, isFirst }: { request: FastifyRequest; isFirst: boolean },
  ): Promise<string | Refusal> {
    try {
      // The request itself was counted as one.
      if (!isFirst) app.countRequest(request.caller)
      return await gets.answerTo(address, request)
    } catch (error) {
      const refusal = refusalFrom(error as Error)
      if (refusal.code === 'InternalError') throw error
      return refusal
    }
  }
}

/** Before the body is read. */
async function mustAddOrRead(request: FastifyRequest) {
  const { caller } = request
  const mayReadOwn = caller.patientUids.length > 0 && (caller.own.read || caller.own.search)
  if (!mayReadOwn && !mayReadOthers(caller)) mustNameAPatient(caller)
  mustBeUnconditional(request)
}

function enough(): Refusal {
  return new Refusal(
    'RateLimited',
    'The answers to the entries before take 1 MiB or five seconds, the most for a batch: send this one in another request.',
  )
}

/** Then the whole batch was sent to the wrong place. */
function mustNotAllBeElsewhere(done: readonly Done[]) {
  const [first] = done
  if (first instanceof Refusal && done.every((one) => one instanceof Refusal && one.code === 'WrongCell'))
    throw first
}
