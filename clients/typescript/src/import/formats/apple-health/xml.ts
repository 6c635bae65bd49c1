// XML that arrives in pieces → its elements. saxes reads no entity that a document declares and fetches nothing: a reference to one is an
// error. What it collects until an element is whole is bounded here.
import { damaged, ImportError } from '../../import-error.ts'

const MAX_ELEMENT_CHARS = 1_048_576
const MAX_DEPTH = 16

export type Attributes = Readonly<Record<string, string>>

export type ElementHandler = {
  /** `depth` is 1 for the root. */
  open: (name: string, attributes: Attributes, depth: number) => void
  close: (name: string, depth: number) => void
}

export async function readXml(pieces: AsyncIterable<string>, handler: ElementHandler) {
  // Loaded here, so that only who brings in XML needs the package.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false, position: true } as const)
  let depth = 0
  // Since something was whole: an element's tag, a text, a comment.
  let characters = 0
  const whole = () => {
    characters = 0
  }
  parser.on('opentag', ({ name, attributes }) => {
    whole()
    if (++depth > MAX_DEPTH)
      throw damaged('The XML of the file is nested too deeply to be an export of Apple Health.')
    handler.open(name, attributes, depth)
  })
  parser.on('closetag', ({ name }) => {
    whole()
    handler.close(name, depth--)
  })
  for (const event of ['text', 'comment', 'doctype', 'cdata', 'processinginstruction'] as const)
    parser.on(event, whole)
  parser.on('error', (error) => {
    // Names that people gave their devices were seen to hold control characters, which XML does not allow.
    if (error.message.includes('disallowed character')) return
    throw error
  })
  try {
    for await (const piece of pieces) {
      characters += piece.length
      parser.write(piece)
      if (characters > MAX_ELEMENT_CHARS + piece.length)
        throw damaged(
          'The XML of the file holds an element longer than 1 MiB: this is no export of Apple Health.',
        )
    }
  } catch (error) {
    if (!isOfParser(error)) throw error
    throw damaged(`The XML of the file is damaged in line ${parser.line}. Export it again.`, error)
  }
  try {
    parser.close()
  } catch (error) {
    throw damaged('The XML of the file ends too early: it was cut off. Export it again.', error)
  }
}

/** saxes throws plain errors whose message begins with the place. */
function isOfParser(error: unknown): boolean {
  return (
    error instanceof Error && !(error instanceof ImportError) && /^(?:[^:]*:)?\d+:\d+: /.test(error.message)
  )
}
