// Rows into tables through COPY, which is the fastest way in, one table after the other over the same connection.
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'

export type Cell = string | number | boolean | string[] | null | undefined

export type TableTarget = { table: string; columns: string[] }

export function copyRows(client: Client) {
  let open: { target: TableTarget; stream: CopyStreamQuery; done: Promise<void> } | undefined

  async function close() {
    open?.stream.end()
    await open?.done
    open = undefined
  }
  async function openFor(target: TableTarget) {
    if (open?.target === target) return open
    await close()
    const stream = client.query(copyFrom(`copy ${target.table} (${target.columns.join(', ')}) from stdin`))
    const done = finished(stream)
    // Heard again where `done` is awaited; until then a failure must not count as unhandled.
    done.catch(() => {})
    open = { target, stream, done }
    return open
  }
  return {
    close,
    async write(target: TableTarget, rows: Cell[][]) {
      if (rows.length === 0) return
      const { stream, done } = await openFor(target)
      const hasRoom = stream.write(rows.map((row) => `${row.map(cellText).join('\t')}\n`).join(''))
      if (!hasRoom) await Promise.race([once(stream, 'drain'), done])
    },
  }
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N'
  if (typeof cell === 'string') return escape(cell)
  return Array.isArray(cell) ? escape(arrayText(cell)) : String(cell)
}

function arrayText(items: string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escape(text: string): string {
  // Hardly any text needs it, and looking is cheaper than replacing nothing.
  if (!/[\\\t\n\r]/.test(text)) return text
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
}
