// Alert rules of a patient: what doctors want to be notified of, who set it, and what alerted. Doctors whom the patient lets change them;
// all others who may read see the same.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Rule } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useMayManage } from '../../care/may-manage.ts'
import { clearText, lateText, ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { sentenceCase } from '../../format/sentence-case.ts'
import { occasionText } from '../../format/times.ts'
import { useCall } from '../../hooks/use-call.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { PastAlerts } from './past-alerts.tsx'
import './rules.css'

export function Rules(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasAlerts } = useApp()
  const name = usePatientName(patientUid)
  const mayManage = useMayManage(patientUid)
  const [said, setSaid] = useState('')
  /** How many were removed: alerts are read again after each. */
  const [changes, setChanges] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const loaded = useLoad([patientUid, hasAlerts], async (signal) =>
    hasAlerts ? (await rounds.rules.list({ patientUid }, { signal })).data : [],
  )
  const { data, error, reload } = loaded
  const failed = [loaded, mayManage].find((one) => one.error !== undefined)
  const justSet = useJustSet(address)
  const nameOfDoctor = useDoctorNames((data ?? []).map(({ doctorId }) => doctorId))
  useEffect(() => {
    // What was removed had the focus.
    if (changes > 0) heading.current?.focus()
  }, [changes])
  if (!hasAlerts) return <Empty title="This server has no alerts." />
  const set = data?.find(({ ruleId }) => ruleId === justSet.ruleId)
  return (
    <>
      <section aria-labelledby="rules-heading">
        <div class="row rules-head">
          <h2 id="rules-heading" ref={heading} tabIndex={-1}>
            Alert rules for <bdi>{name}</bdi>
          </h2>
          {mayManage.data && (
            <Link class="button primary" address={address} to={{ path: 'set-rule' }}>
              Add a rule
            </Link>
          )}
        </div>
        {mayManage.data === false && <ReadOnly patientUid={patientUid} />}
        <p class="muted rules-limits">
          Rounds notifies and does not monitor: an alert may come late or not at all, and Rounds calls nobody,
          so in an emergency call for help as always.
        </p>
        <p class="unseen" role="status">
          {said || (set && `The rule is ${justSet.word}: ${ruleText(set)}.`)}
        </p>
        {failed && <ErrorNotice error={failed.error} onRetry={failed.reload} />}
        {!data && error === undefined && <Loading lines={3} height={92} />}
        {data?.length === 0 && (
          <Empty title="No alert rules are set.">
            <span>Without a rule, no reading alerts anybody.</span>
          </Empty>
        )}
        {data && data.length > 0 && (
          <ul class="panel rules">
            {data.map((rule) => (
              <RuleRow
                key={rule.ruleId}
                {...props}
                rule={rule}
                nameOfDoctor={nameOfDoctor}
                mayManage={mayManage.data === true}
                onRemoved={() => {
                  setSaid(`The rule is removed: ${ruleText(rule)}.`)
                  setChanges((count) => count + 1)
                  reload()
                }}
              />
            ))}
          </ul>
        )}
      </section>
      <PastAlerts key={changes} {...props} />
    </>
  )
}

/** The rule that was set or changed on the screen before, which is said once: the address does not keep it. */
function useJustSet(address: Address) {
  const [word] = useState(() => (address.query.has('changed') ? 'changed' : 'set'))
  const [ruleId] = useState(() => address.query.get(word) ?? undefined)
  useEffect(() => {
    if (ruleId !== undefined) address.go({ query: { [word]: undefined } }, { replace: true })
  }, [])
  return { ruleId, word }
}

function ReadOnly({ patientUid }: { patientUid: string }) {
  const { session } = useApp()
  const isOwn = session.person.patientUids.includes(patientUid)
  return (
    <p class="muted rules-limits">
      {session.person.doctorId === undefined
        ? `Doctors set these rules, if ${isOwn ? 'you let' : 'the patient lets'} them under “Shared with”.`
        : 'You can see these rules. To set them, ask the patient to let you, under “Shared with”.'}
    </p>
  )
}

type RowProps = ScreenProps & {
  rule: Rule
  nameOfDoctor: ReturnType<typeof useDoctorNames>
  mayManage: boolean
  onRemoved: () => void
}

function RuleRow(props: RowProps) {
  const { zone, address, rule, nameOfDoctor, mayManage } = props
  const { subject } = useApp().session.person
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const { ruleId, label, setBy, setAt, doctorId } = rule
  const words = ruleText(rule)
  const author = setBy === subject ? 'you' : nameOfDoctor(doctorId).name
  return (
    <li>
      <div class="rule">
        <SeverityMark severity={rule.severity} />
        <strong class="rule-words">{sentenceCase(words)}</strong>
        <span>
          Ends with {clearText(rule)}. {lateText(rule)}
        </span>
        {label !== null && (
          <span class="small muted" dir="auto">
            “{label}”
          </span>
        )}
        <span class="small muted" dir="auto">
          Set by {author} {occasionText(setAt, now, { zone, isDayOnly: true })}.
        </span>
      </div>
      {mayManage && (
        <div class="rule-actions">
          <Link
            class="link"
            address={address}
            to={{ path: 'change-rule', query: { rule: ruleId } }}
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
      {isAsking && <RemoveDialog {...props} onClose={() => setAsking(false)} />}
    </li>
  )
}

function RemoveDialog(props: RowProps & { onClose: () => void }) {
  const { rounds, patientUid, rule, onRemoved, onClose } = props
  const name = usePatientName(patientUid)
  const { isBusy, error, call } = useCall()
  const remove = () =>
    call(async () => {
      await rounds.rules.remove({ patientUid, ruleId: rule.ruleId })
      onClose()
      onRemoved()
    })
  return (
    <Dialog
      title="Remove this alert rule?"
      question={`For ${name}: ${ruleText(rule)}. An alert of it that is open ends. Nobody is notified by it any more. What it alerted stays in the list.`}
      onClose={onClose}
    >
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void remove()}>
          {isBusy ? 'One moment…' : 'Remove'}
        </button>
      </div>
    </Dialog>
  )
}
