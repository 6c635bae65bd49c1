// The alerts of a doctor's patients: what is open, what was acknowledged, and what is over. A notification aid: the screen
// says when what it shows is not of now, and what Rounds does not promise.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice } from '../../design/notice.tsx'
import { ShowOlder } from '../../design/show-older.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { ZoneSwitch } from '../../layout/zone.tsx'
import type { ScreenProps } from '../../screen.ts'
import './inbox.css'
import './alerts.css'
import { type Shown, shownIn } from './alert-groups.ts'
import { AlertCards, AlertTable } from './alert-list.tsx'
import { announcementOf, type TextOptions } from './alert-text.ts'
import { ChosenAlert } from './chosen-alert.tsx'
import { InboxBar } from './inbox-bar.tsx'
import { useListKeys } from './list-keys.ts'
import { NothingOpen } from './nothing-open.tsx'
import { OldList } from './old-list.tsx'
import { useAlerts } from './use-alerts.ts'
import { useChosenAlert } from './use-chosen-alert.ts'
import { useEnded } from './use-ended.ts'
import { useInboxRows } from './use-inbox-rows.ts'

/** From here on the panel has a column of its own. */
const PANEL_FROM = 1_180

export function Alerts(props: ScreenProps) {
  const { session, hasAlerts } = useApp()
  if (!hasAlerts) return <Empty title="This server has no alerts." />
  if (session.person.doctorId === undefined)
    return <Empty title="Your sign-in names no doctor of the directory." />
  return <Inbox {...props} />
}

function Inbox({ rounds, zone, address }: ScreenProps) {
  const { access } = useApp()
  const shown = shownIn(address.query)
  const inbox = useAlerts(rounds)
  const { listed, error, staleness, now, refresh } = inbox
  const rows = useInboxRows(listed)
  const ended = useEnded(rounds, { shown, since: listed?.alerts })
  const [isPhone, isPanelAbove] = [useNarrow(), useNarrow(PANEL_FROM - 1)]
  const [said, setSaid] = useState('')
  const isActive = shown === 'active'
  const alerts = isActive ? rows.alerts : ended.alerts
  const order = isActive ? rows.sections.flatMap(({ alertIds }) => alertIds) : [...ended.alerts.keys()]
  const chosen = useChosenAlert({ shown, order, alerts, list: rows.list, address, isPanelAbove })
  useListKeys(rows.list, chosen.commands)
  // A patient who did not share may share again.
  useEffect(() => access.startAnew(), [])
  const text = useText([...alerts.values()], { zone, now })
  const isKnown = isActive ? listed !== undefined : ended.isKnown
  const sections = isActive
    ? rows.sections
    : order.length === 0
      ? []
      : [{ group: 'open' as const, alertIds: order }]
  const asOfMs = isActive && staleness !== undefined ? listed?.atMs : undefined
  const List = isPhone ? AlertCards : AlertTable
  const failure = isActive ? (listed ? undefined : error) : ended.error
  return (
    <div class="patient-list alerts">
      <p class="unseen" role="alert">
        {announcementOf(rows.newcomers)}
      </p>
      <InboxBar {...{ inbox, rows, shown, said, zone, address }} />
      {listed && staleness && (
        <OldList staleness={staleness} listed={listed} now={now} zone={zone} onRetry={refresh} />
      )}
      {failure !== undefined && <ErrorNotice error={failure} onRetry={isActive ? refresh : ended.reload} />}
      {sections.length > 0 ? (
        <List
          {...{ sections, alerts, chosen, text, asOfMs }}
          title={TITLES[shown]}
          standing={isActive ? rows.standing : undefined}
          list={rows.list}
        >
          {isActive ? (
            listed !== undefined &&
            listed.beyond > 0 && <p class="alert-more muted">{listed.beyond} more are not listed.</p>
          ) : (
            <ShowOlder {...ended.older} />
          )}
        </List>
      ) : failure !== undefined ? null : isKnown ? (
        <NothingOpen {...{ rounds, shown, inbox, zone }} />
      ) : (
        <Waiting isPhone={isPhone} />
      )}
      <Notes zone={zone} address={address} />
      <ChosenAlert
        {...{ chosen, rounds, text, address, isPanelAbove, isKnown }}
        onDone={(message) => {
          setSaid(message)
          refresh()
        }}
      />
    </div>
  )
}

/** What Rounds does not promise, and what the patients see. */
function Notes({ zone, address }: Pick<ScreenProps, 'zone' | 'address'>) {
  const { session } = useApp()
  return (
    <div class="list-notes small muted">
      <p>
        <strong>A notification aid, not a real-time monitor:</strong> an alert can be late or missing, it
        reaches only who looks, and it is no diagnosis.{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          Documentation
        </a>
        . <strong>Every patient in this list sees, once a day, that you opened this list.</strong>
      </p>
      <div class="row">
        <ZoneSwitch zone={zone} patientZone={session.person.zone} address={address} />
      </div>
    </div>
  )
}

const TITLES: Readonly<Record<Shown, string | undefined>> = {
  active: undefined,
  resolved: 'Resolved',
  retracted: 'Retracted',
}

/** How times and people are named. */
function useText(
  alerts: readonly {
    acknowledged: { doctorId: string } | null
    rule: { doctorId: string }
  }[],
  { zone, now }: Pick<TextOptions, 'zone' | 'now'>,
): TextOptions {
  const { subject } = useApp().session.person
  const doctorIds = useMemo(
    () =>
      [
        ...new Set(
          alerts.flatMap(({ acknowledged, rule }) =>
            [acknowledged?.doctorId, rule.doctorId].filter((id) => id !== undefined),
          ),
        ),
      ].toSorted(),
    [alerts],
  )
  const nameOfDoctor = useDoctorNames(doctorIds)
  return { zone, now, subject, nameOfDoctor }
}

function Waiting({ isPhone }: { isPhone: boolean }) {
  return (
    <div class={isPhone ? 'alert-cards' : 'list-frame'} aria-busy="true">
      <span class="unseen" role="status">
        Loading
      </span>
      {Array.from({ length: isPhone ? 4 : 8 }, (_, index) => (
        <div key={index} class="list-waiting">
          <div class="skeleton" />
        </div>
      ))}
    </div>
  )
}
