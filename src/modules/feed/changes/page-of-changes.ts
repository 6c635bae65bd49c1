// SQL: the next page of the sequence of changes, from the tables whose rows stand in it.
//
// It goes on from a `place` that the statement before it names: columns `xid` and `id` (the last change of the page before) and
// whatever `upTo` and `if` ask. A page is bounded in bytes as pages of readings/get are (cut-page.ts): each item is repeated once
// for every part that it takes, a limit ends that list, and PostgreSQL does not read the rows behind it.

/** A table of the sequence. `columns` are those that the page carries, `item` the last of them: null where a change is walked over. */
type Source = { table: string; id: string; columns: string }

type Page = {
  sources: [Source, ...Source[]]
  /** The names of `columns`, without `item`. */
  names: string
  /** Where it ends, about a row whose id has this name. */
  upTo: (id: string) => string
  /** Whether it may be read at all, about `place`. */
  if: string
  limit: string
  partBytes: number
  maxParts: number
}

/** Two CTEs: `parts`, and `whole`, the changes of the page in order with their number `nth`. */
export function pageOfChanges({
  sources,
  names,
  upTo,
  if: mayRead,
  limit,
  partBytes,
  maxParts,
}: Page): string {
  const next = sources.map(
    ({ table, id, columns }) => `
    (
      select changed_xid, ${id} as id, ${columns}
      from ${table}
      where (changed_xid, ${id}) > ((select xid from place), (select id from place))
        and ${upTo(id)}
        and (select ${mayRead} from place)
      order by changed_xid, ${id}
      limit ${limit} + 1
    )`,
  )
  return `next as (${next.join(`
    union all`)}
    order by changed_xid, id
    limit ${limit} + 1
  ), parts as (
    select changed_xid, id, ${names}, item, parts, generate_series(1, parts) as part
    from (
      select *, least(1 + coalesce(octet_length(item), 0) / ${partBytes}, ${maxParts}) as parts
      from next
      offset 0
    ) as measured
    limit ${maxParts} + 1
  ), whole as materialized (
    select changed_xid, id, ${names}, item, nth
    from (
      select *, row_number() over in_order as nth, sum(parts) over in_order as parts_so_far
      from parts
      where part = parts
      window in_order as (order by changed_xid, id)
    ) as ended
    where parts_so_far <= ${maxParts}
  )`
}
