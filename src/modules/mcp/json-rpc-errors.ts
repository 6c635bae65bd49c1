// Failures below the path of this module, as messages of JSON-RPC.
import type { ErrorFormat } from '../../http/answers/errors.ts'
import { isRetryable, type Refusal, type RefusalCode } from '../../refusal.ts'

const [PARSE_ERROR, INVALID_REQUEST, SERVER_ERROR] = [-32_700, -32_600, -32_000]

const CODES: Partial<Record<RefusalCode, number>> = {
  MalformedJson: PARSE_ERROR,
  ValidationFailed: INVALID_REQUEST,
}

export const JSON_RPC_ERRORS: ErrorFormat = {
  contentType: 'application/json; charset=utf-8',
  print: ({ code, message, errors }: Refusal, requestId) =>
    printError(message, CODES[code] ?? SERVER_ERROR, {
      code,
      requestId,
      retryable: isRetryable(code),
      ...(errors ? { errors } : {}),
    }),
}

export function printError(message: string, code = INVALID_REQUEST, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...(data ? { data } : {}) } })
}
