// All items of a list that comes in pages.
import { mustBeQuery } from './check-arguments.ts'

type Page<Item> = { data: Item[]; nextCursor: string | null }

/** `limit` is the size of a page where the query names none. */
export async function* eachOf<
  Item,
  Query extends { cursor?: string | undefined; limit?: number | undefined },
>(
  fetchPage: (query: Query) => Promise<Page<Item>>,
  query: Query,
  limit: number,
): AsyncGenerator<Item, void, undefined> {
  mustBeQuery(query)
  let next: Query | undefined = { ...query, limit: query.limit ?? limit }
  while (next !== undefined) {
    const { data, nextCursor }: Page<Item> = await fetchPage(next)
    yield* data
    next = nextCursor === null ? undefined : { ...next, cursor: nextCursor }
  }
}
