// The records of {"specialities": […], "doctors": […]}, the lists in either order. The parser reads the JSON; this
// watches its tokens for what it would let pass: other lists, a list or a field given twice.
import { JSONParser, TokenType } from '@streamparser/json'
import { DirectoryError } from './mistakes.ts'
import type { FileRecord, List } from './record.ts'

export async function* readJsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord[]> {
  const shape = watchShape()
  let records: FileRecord[] = []
  const parser = new JSONParser({ paths: ['$.*.*'], keepStack: false })
  parser.onToken = shape.onToken
  parser.onValue = ({ value, key }) => {
    records.push({ list: shape.mustBeRecord(value, Number(key)), row: Number(key), value })
  }
  for await (const chunk of chunks) {
    mustParse(() => parser.write(chunk))
    yield records
    records = []
  }
  mustParse(() => {
    if (!parser.isEnded) parser.end()
    shape.mustHaveLists()
  })
}

function mustParse(parse: () => void) {
  try {
    parse()
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    const [, byte] = /absolute position "(\d+)"/.exec(String(error)) ?? []
    throw new DirectoryError(
      `The file is not well-formed JSON in UTF-8${byte ? ` (at byte ${byte})` : ''}.`,
      {
        cause: error,
      },
    )
  }
}

function watchShape() {
  const lists = new Set<string>()
  let list: List = 'doctors'
  let listIsNext = false
  let depth = 0
  let fields = 0

  function onToken({ token, value }: { token: TokenType; value: unknown }) {
    if (depth === 0 && token !== TokenType.LEFT_BRACE) mustHaveLists()
    if (depth === 1) {
      if (listIsNext && token !== TokenType.LEFT_BRACKET) throw new DirectoryError(`${list} must be a list.`)
      if (token === TokenType.STRING) list = mustBeNewList(value)
      listIsNext = token === TokenType.COLON
    }
    if (depth === 3 && token === TokenType.COLON) fields++
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--
  }
  function mustBeNewList(name: unknown): List {
    if (name !== 'specialities' && name !== 'doctors') {
      throw new DirectoryError(
        `The file holds ${JSON.stringify(name)}; only specialities and doctors are known.`,
      )
    }
    if (lists.has(name)) throw new DirectoryError(`The file holds ${name} twice.`)
    lists.add(name)
    return name
  }
  /** Of two equal fields the parser keeps the last, so that more were given than there are. */
  function mustBeRecord(value: unknown, row: number): List {
    if (fields > Object.keys(Object(value)).length)
      throw new DirectoryError(`${list}[${row}] has a field twice.`)
    fields = 0
    return list
  }
  function mustHaveLists() {
    if (lists.size === 0)
      throw new DirectoryError('The file must be a JSON object with the lists specialities and doctors.')
  }
  return { onToken, mustBeRecord, mustHaveLists }
}
