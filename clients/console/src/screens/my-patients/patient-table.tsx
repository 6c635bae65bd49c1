// The patients as a table, or as cards on a phone. The browser lays out only the rows that can be seen (content-visibility).
import type { ComponentChildren } from 'preact'
import type { Address } from '../../address.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import type { Listed } from './follow-patients.ts'
import type { Sort } from './list-view.ts'
import { Card, idOfRow, type RowProps, TableRow } from './patient-rows.tsx'
import type { Chosen } from './use-chosen.ts'
import type { Rows } from './use-rows.ts'

type Props = {
  rows: Rows
  chosen: Chosen
  listed: Listed | undefined
  types: Catalogue | undefined
  zone: string
  now: number
  address: Address
}

/** As many as fill a window. */
const WAITING = 12

const COLUMNS: readonly { word: string; sort?: Sort; name?: string }[] = [
  { word: 'Status', sort: 'attention' },
  { word: 'Patient', sort: 'name' },
  { word: 'Why' },
  { word: 'Against target, 14 days', sort: 'share' },
  { word: '14 days', name: 'fortnight' },
  { word: 'Days with data', sort: 'daysWithData', name: 'days' },
  { word: 'Last reading', sort: 'lastReading', name: 'reading' },
  { word: 'Last look', sort: 'lastReview', name: 'look' },
]

export function PatientTable(props: Props) {
  const { rows, chosen, listed } = props
  const isChosenThere = rows.order.includes(chosen.uid ?? '')
  return (
    <div class="list-frame" ref={(element) => void (rows.scroller.current = element)}>
      <table
        class="list-table"
        role="grid"
        aria-label="My patients"
        aria-busy={listed === undefined}
        aria-activedescendant={isChosenThere ? idOfRow(chosen.uid ?? '') : undefined}
        tabIndex={0}
        ref={(element) => void (rows.list.current = element)}
      >
        <thead role="rowgroup">
          <tr role="row" class="list-head">
            {COLUMNS.map(({ word, sort, name = '' }) => (
              <th
                key={word}
                role="columnheader"
                scope="col"
                class={name}
                aria-sort={sort === rows.view.sort ? `${rows.view.order}ending` : undefined}
              >
                {sort ? (
                  <button type="button" onClick={() => rows.sortBy(sort)}>
                    {word}
                    <span aria-hidden="true">
                      {sort !== rows.view.sort ? '' : rows.view.order === 'asc' ? ' ↑' : ' ↓'}
                    </span>
                  </button>
                ) : (
                  word
                )}
              </th>
            ))}
          </tr>
        </thead>
        {listed === undefined ? (
          <Waiting />
        ) : (
          <tbody role="rowgroup" class="list-body">
            {rowsOf(props, (row) => (
              <TableRow key={row.uid} {...row} />
            ))}
          </tbody>
        )}
      </table>
    </div>
  )
}

export function PatientCards(props: Props) {
  const { rows, listed } = props
  if (listed === undefined)
    return (
      <div class="list-cards" aria-busy="true">
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index} class="skeleton list-card-waiting" />
        ))}
      </div>
    )
  return (
    <ul
      class="list-cards"
      aria-label="My patients"
      tabIndex={-1}
      ref={(element) => {
        for (const place of [rows.list, rows.scroller]) place.current = element
      }}
    >
      {rowsOf(props, (row) => (
        <Card key={row.uid} {...row} />
      ))}
    </ul>
  )
}

function rowsOf(
  { rows, chosen, listed, types, zone, now, address }: Props,
  draw: (row: RowProps) => ComponentChildren,
) {
  return rows.order.map((uid) =>
    draw({
      uid,
      patient: listed?.patients.get(uid),
      isSelected: uid === chosen.uid,
      types,
      zone,
      now,
      address,
      onSelect: () => chosen.select(uid),
      onOpen: () => chosen.openRecord(uid),
    }),
  )
}

function Waiting() {
  return (
    <tbody role="rowgroup" class="list-body">
      <tr role="row">
        <td role="gridcell">
          <span class="unseen" role="status">
            Loading
          </span>
          {Array.from({ length: WAITING }, (_, index) => (
            <div key={index} class="list-waiting">
              <div class="skeleton" />
            </div>
          ))}
        </td>
      </tr>
    </tbody>
  )
}
