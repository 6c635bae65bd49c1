// Long answers are compressed as they are sent, if the client accepts that: readings are much alike, so a tenth of the bytes or
// less goes over a phone's network. Only streams are: one page is sent before compressing it would have paid.
//
// Compressing what an attacker can partly choose beside a secret can betray the secret by the length (BREACH). An answer
// here holds no secret to guess: tokens never stand in one, nothing of a request is reflected but the patient it names,
// and no page of another origin can make a browser send the bearer token.
import type { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { preferredEncoding } from '../preferences.ts'

// Of readings, 16 MB as lines of JSON: Brotli 1 makes 7.4 times less of them for 4 ms of CPU a megabyte, gzip 3 6.9 times
// less for 8 ms. Higher settings gain a few percent for twice the time. Brotli's window is bounded so that a stream takes
// about a mebibyte, not five.
const COMPRESSORS = {
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => createGzip({ level: 3 }),
}
const ENCODINGS = ['br', 'gzip'] as const

/** The stream in the encoding that this client accepts, and its name, if it has one. */
export function compressFor(acceptEncoding: string | undefined, source: Readable) {
  const encoding = preferredEncoding(acceptEncoding, ENCODINGS)
  if (encoding === undefined) return { stream: source, encoding }
  const compressor = COMPRESSORS[encoding]()
  // A failure of the source must cut the answer off, not end it; a client that disconnects must stop the source. (`pipeline`
  // would also report the disconnect to the source, as an error.)
  source.once('error', (error) => compressor.destroy(error))
  compressor.once('close', () => source.destroy())
  return { stream: source.pipe(compressor), encoding }
}
