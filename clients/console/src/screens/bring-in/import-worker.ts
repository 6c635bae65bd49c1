// Reads a file in a thread of its own, so that the page answers while it does. The page sends what is to be stored: it has the token.
import type { AddVerdicts, Reading } from '../../../../typescript/src/client.ts'
import {
  ImportError,
  type ImportPreview,
  type ImportProgress,
  type ImportResult,
  importReadings,
  previewImport,
} from '../../../../typescript/src/import/import-readings.ts'
import { RoundsError } from '../../../../typescript/src/rounds-error.ts'
import type { Chosen } from '../../bring-in/bring-in.ts'

/** The first message. */
export type Task = Chosen & { does: 'preview' | 'import' }
/** Those that follow: what the service said of the readings of a request, or why it refused all of them. */
export type Answer = { id: number; answer: AddVerdicts | Refusal }
export type Refusal = { refusal: Pick<RoundsError, 'code' | 'message' | 'status'> }
export type Report =
  | { is: 'progress'; progress: ImportProgress }
  | { is: 'request'; id: number; readings: Reading[] }
  | { is: 'done'; outcome: ImportPreview | ImportResult }
  | { is: 'failed'; code: string; message: string }

const thread = globalThis as unknown as {
  postMessage: (report: Report) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Task | Answer>) => void) => void
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
const report = (what: Report) => thread.postMessage(what)

const waiting = new Map<number, (answer: Answer['answer']) => void>()
let requests = 0

thread.addEventListener('message', ({ data }) => {
  if ('does' in data) void run(data)
  else {
    waiting.get(data.id)?.(data.answer)
    waiting.delete(data.id)
  }
})

async function run({ does, file, patientUid, answers, types }: Task) {
  const options = {
    patientUid,
    ...answers,
    types,
    onProgress: (progress: ImportProgress) => report({ is: 'progress', progress }),
  }
  try {
    const outcome =
      does === 'preview'
        ? await previewImport(file, options)
        : await importReadings(file, { ...options, client: { addReadingsEach } })
    report({ is: 'done', outcome })
  } catch (error) {
    const code = error instanceof ImportError ? error.code : nameOf(error)
    report({ is: 'failed', code, message: error instanceof Error ? error.message : '' })
  }
}

/** A page that cannot send ends this thread instead of answering. */
async function addReadingsEach(readings: Reading | readonly Reading[]): Promise<AddVerdicts> {
  const id = ++requests
  const answer = await new Promise<Answer['answer']>((resolve) => {
    waiting.set(id, resolve)
    report({ is: 'request', id, readings: [readings].flat() })
  })
  if ('refusal' in answer) throw new RoundsError({ ...answer.refusal, retryable: false })
  return answer
}

/** Of what browsers throw where a file was moved, changed or is not theirs to read. */
const nameOf = (error: unknown) => (error instanceof DOMException ? error.name : 'Fault')
