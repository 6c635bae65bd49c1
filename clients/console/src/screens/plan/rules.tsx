// What doctors want to be told about a patient, or about all who share with them. Doctors whom the patient lets set rules; all others who may
// read see the same.
import { useState } from 'preact/hooks'
import type { Alert, Rule } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { endText, ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { sentenceCase } from '../../format/sentence-case.ts'
import { momentText, occasionText } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { ConfirmRemoval } from '../../ui/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { List } from '../../ui/list.tsx'
import { listed } from '../../words/language.ts'
import { planOf, useJustSet } from './plan-address.ts'
import './rules.css'

export function Rules(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const name = usePatientName(patientUid)
  const { doctorId, patientUids } = useApp().session.person
  const maySet = useMaySetTargets(patientUid)
  // Patients set targets of their own, and no rules.
  const mayManage = patientUids.includes(patientUid) ? false : maySet.data
  const [said, setSaid] = useState('')
  const [removals, setRemovals] = useState(0)
  const whose = patientUid === '' ? {} : { patientUid }
  const { data, error, reload } = useLoad(
    [patientUid],
    async (signal) => (await rounds.rules.list(whose, { signal })).data,
  )
  const open = useOpenAlerts(props)
  const justSet = useJustSet(address, 'rule')
  const set = data?.find(({ ruleId }) => ruleId === justSet)
  return (
    <List
      title={
        patientUid === '' ? (
          'Rules for all who share with you'
        ) : (
          <>
            Rules for <bdi>{name}</bdi>
          </>
        )
      }
      removals={removals}
      action={
        mayManage && (
          <Link class="button primary" address={address} to={planOf('set-rule', patientUid)}>
            Add a rule
          </Link>
        )
      }
      before={<Limits patientUid={patientUid} isReadOnly={mayManage === false} />}
      said={said || (set && `The rule is set: ${ruleText(set)}.`)}
      items={data}
      error={error ?? maySet.error}
      reload={reload}
      keyOf={({ ruleId }) => ruleId}
      empty={['No rules are set.', 'Without a rule, no reading alerts anybody.']}
    >
      {(rule) => (
        <RuleRow
          {...props}
          rule={rule}
          open={open?.find(({ ruleId }) => ruleId === rule.ruleId)}
          // For all, it is changed where it was set for all.
          mayChange={
            mayManage === true &&
            rule.author.doctorId === doctorId &&
            (rule.patientUid === null) === (patientUid === '')
          }
          onRemoved={() => {
            setSaid(`The rule is removed: ${ruleText(rule)}.`)
            setRemovals(removals + 1)
            reload()
          }}
        />
      )}
    </List>
  )
}

function Limits({ patientUid, isReadOnly }: { patientUid: string; isReadOnly: boolean }) {
  const { patientUids, doctorId } = useApp().session.person
  const who = patientUids.includes(patientUid) ? 'you let' : 'the patient lets'
  const readOnly =
    doctorId === undefined
      ? `Doctors set these rules, if ${who} them under “Shared with”. `
      : 'You can see these rules. To set them, ask the patient to let you, under “Shared with”. '
  return (
    <p class="small muted rules-limits">
      {isReadOnly && readOnly}
      Rounds notifies and does not monitor: an alert may come late or not at all, and Rounds calls nobody, so
      in an emergency call for help as always.
    </p>
  )
}

/** The alerts that are open, by which a rule is said to hold now. */
function useOpenAlerts({ rounds, patientUid }: ScreenProps) {
  const { data } = useLoad(['open', patientUid], async (signal) =>
    patientUid === '' ? [] : (await rounds.alerts.list({ patientUid, state: 'open' }, { signal })).data,
  )
  return data
}

type RowProps = ScreenProps & {
  rule: Rule
  open: Alert | undefined
  mayChange: boolean
  onRemoved: () => void
}

function RuleRow(props: RowProps) {
  const { rounds, patientUid, zone, address, rule, open, mayChange, onRemoved } = props
  const { subject } = useApp().session.person
  const patient = usePatientName(patientUid)
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const { ruleId, label, setBy, setAt, author, isSuspended } = rule
  const words = ruleText(rule)
  const isForAll = rule.patientUid === null
  return (
    <>
      <div class="item">
        <SeverityMark severity={rule.severity} />
        <strong class="item-head">{sentenceCase(words)}</strong>
        <span>{endText(rule)}</span>
        {isSuspended && <span>Suspended: the patient does not share this with its author any more.</span>}
        {open && (
          <span class="rule-open">
            Open since {momentText(open.openedAt, now, zone)}, {sentText(open.sentTo)}.
          </span>
        )}
        {label !== null && (
          <span class="small muted" dir="auto">
            “{label}”
          </span>
        )}
        <span class="small muted" dir="auto">
          {isForAll ? 'For all who share with its author. ' : ''}Set by{' '}
          {setBy === subject ? 'you' : author.name} {occasionText(setAt, now, { zone, isDayOnly: true })}.
        </span>
      </div>
      {mayChange && (
        <div class="item-actions">
          <Link
            class="link"
            address={address}
            to={planOf('set-rule', patientUid, { rule: ruleId })}
            label={`Change the rule: ${words}`}
          >
            Change
          </Link>
          <button
            type="button"
            class="link"
            aria-label={`Remove the rule: ${words}`}
            onClick={() => setAsking(true)}
          >
            Remove
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmRemoval
          title="Remove this rule?"
          question={`For ${isForAll ? 'all who share with you' : patient}: ${words}. An alert of it that is open ends. Nobody is notified by it any more. What it alerted stays in the timeline.`}
          act={() => rounds.rules.remove({ ruleId })}
          onDone={onRemoved}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Rounds says whom it told, and that it told nobody. */
const sentText = (sentTo: Alert['sentTo']) =>
  sentTo.length === 0
    ? 'sent to nobody: no receiver is set up'
    : `sent to ${listed(sentTo.map(({ name, state }) => (state === 'accepted' ? name : `${name} (${state})`)))}`
