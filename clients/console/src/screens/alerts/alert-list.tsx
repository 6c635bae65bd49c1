// The alerts in their groups: a table, or cards on a phone.
import type { ComponentChildren, Ref } from 'preact'
import { sinceText } from '../../format/times.ts'
import { GROUP_WORDS, type Section, type Standing } from './alert-groups.ts'
import { AlertCard, AlertRow } from './alert-rows.tsx'
import type { TextOptions } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'
import { type ChosenAlert, idOfRow } from './use-chosen-alert.ts'

type Props = {
  sections: readonly Section[]
  /** Instead of the words of the groups: of alerts that are over. */
  title?: string | undefined
  /** What is in each section by now; undefined of alerts that are over. */
  standing: Standing | undefined
  alerts: ReadonlyMap<string, Alert>
  chosen: ChosenAlert
  text: TextOptions
  /** Where the list is not of now: when it was. */
  asOfMs: number | undefined
  list: Ref<HTMLElement>
  children?: ComponentChildren
}

const COLUMNS = ['Severity', 'Patient', 'Why', 'For how long']

export function AlertTable({ children, ...props }: Props) {
  const { sections, chosen, asOfMs, list } = props
  const isThere = sections.some(({ alertIds }) => alertIds.includes(chosen.alertId ?? ''))
  return (
    <div class={asOfMs === undefined ? 'list-frame' : 'list-frame is-old'}>
      <table
        class="list-table alert-table"
        role="grid"
        aria-label="Alerts"
        aria-activedescendant={isThere ? idOfRow(chosen.alertId ?? '') : undefined}
        tabIndex={0}
        ref={list as Ref<HTMLTableElement>}
      >
        <thead role="rowgroup">
          <tr role="row" class="alert-head">
            {COLUMNS.map((word) => (
              <th key={word} role="columnheader" scope="col">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        {sections.map(({ group, alertIds }) => (
          <tbody key={group} role="rowgroup" class={`alert-group ${group}`}>
            <tr role="row" class="alert-group-head">
              <th role="rowheader" scope="rowgroup">
                <Heading {...props} group={group} rows={alertIds.length} />
              </th>
            </tr>
            {alertIds.map((alertId) => (
              <AlertRow key={alertId} {...rowOf(alertId, props)} />
            ))}
          </tbody>
        ))}
      </table>
      {children}
    </div>
  )
}

export function AlertCards({ children, ...props }: Props) {
  const { sections, chosen, asOfMs, list, alerts } = props
  const acknowledge = (alertId: string) => {
    chosen.choose(alertId)
    chosen.acknowledge()
  }
  return (
    <div
      class={asOfMs === undefined ? 'alert-cards' : 'alert-cards is-old'}
      tabIndex={-1}
      ref={list as Ref<HTMLDivElement>}
    >
      {sections.map(({ group, alertIds }) => (
        <section key={group}>
          <h2>
            <Heading {...props} group={group} rows={alertIds.length} />
          </h2>
          <ul>
            {alertIds.map((alertId) => (
              <AlertCard
                key={alertId}
                {...rowOf(alertId, { ...props, alerts })}
                onAcknowledge={() => acknowledge(alertId)}
              />
            ))}
          </ul>
        </section>
      ))}
      {children}
    </div>
  )
}

type HeadingProps = Pick<Props, 'title' | 'standing' | 'asOfMs' | 'text'> & {
  group: Section['group']
  /** How many rows there are. */
  rows: number
}

/** "Open 3"; "Open 2 · 1 acknowledged now", where that row stays in its place; where the list is old "Open 3, as of 07:42". */
function Heading({ title, standing, asOfMs, text, group, rows }: HeadingProps) {
  const { still, moved } = standing?.[group] ?? { still: rows, moved: 0 }
  const other = group === 'open' ? 'acknowledged' : 'open'
  return (
    <>
      {title ?? GROUP_WORDS[group]} <span class="alert-count">{still}</span>
      {moved > 0 && (
        <span class="alert-moved">
          {' '}
          · {moved} {GROUP_WORDS[other].toLowerCase()}
          {asOfMs === undefined ? ' now' : ''}
        </span>
      )}
      {asOfMs !== undefined && (
        <span class="alert-as-of">, as of {sinceText(asOfMs, text.now, text.zone)}</span>
      )}
    </>
  )
}

function rowOf(alertId: string, { alerts, chosen, text }: Omit<Props, 'children'>) {
  return {
    alertId,
    alert: alerts.get(alertId),
    isSelected: alertId === chosen.alertId,
    text,
    onSelect: () => chosen.select(alertId),
  }
}
