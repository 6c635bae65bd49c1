// A small fault that somebody could make, and that a test must notice.

export type Mutant = {
  name: string
  /** The promise that it breaks. */
  promise: string
  file: string
  /** It stands once in the file. What a repair moves or rewrites is found by this text. */
  from: string
  to: string
  /** The test file that noticed it last. It is run first, so it should be a quick one. */
  noticedBy: string
}
