// Errors of PostgreSQL, of the network and of the file system are known by their code, never by their text.

/** The SQLSTATE or system code of an error, or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
