import { type AddVerdicts, type Reading, RoundsError } from '../../../../typescript/src/client.ts'
import type {
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../../../typescript/src/import/import-readings.ts'
import type { Answer, Refusal, Report, Task } from './import-worker.ts'

/** Why a file could not be read: the code of an ImportError, the name of a DOMException, or `Fault`. */
class FileError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What a thread that its person stopped ends with. */
export const STOPPED = new Error('It was stopped.')

type Handlers = {
  onProgress: (progress: ImportProgress) => void
  /** Rejects where the readings cannot be sent; unless their content is refused, the thread then ends with that error. */
  send: (readings: Reading[]) => Promise<AddVerdicts>
}

/** The parsers are part of the worker, so no other screen loads them. */
export function startThread(task: Task, { onProgress, send }: Handlers) {
  const worker = new Worker(new URL('import-worker.ts', import.meta.url), { type: 'module' })
  const { promise: ended, resolve, reject } = Promise.withResolvers<ImportPreview | ImportResult>()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  const tell = (message: Task | Answer) => worker.postMessage(message)
  const answer = async (id: number, readings: Reading[]) => {
    try {
      tell({ id, answer: await send(readings) })
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) tell({ id, answer: refusal })
      else reject(error)
    }
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
    if (data.is === 'progress') onProgress(data.progress)
    else if (data.is === 'request') void answer(data.id, data.readings)
    else if (data.is === 'done') resolve(data.outcome)
    else reject(new FileError(data.code, data.message))
  })
  worker.addEventListener('error', ({ message }) => reject(new FileError('Fault', message)))
  tell(task)
  const terminate = () => worker.terminate()
  void ended.then(terminate, terminate)
  return { ended, stop: () => reject(STOPPED) }
}

/** A request that is refused for what is in it: the thread finds the reading. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof RoundsError) || (error.status !== 400 && error.status !== 413)) return undefined
  const { code, message, status } = error
  return { refusal: { code, message, status } }
}
