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
import { planOf, useJustSet } from './plan-address.ts'
import './rules.css'
import { words } from '../../words/words.ts'

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
      title={patientUid === '' ? words.ruleForm.forAll : words.ruleForm.forPatient(<bdi>{name}</bdi>)}
      removals={removals}
      action={
        mayManage && (
          <Link class="button primary" address={address} to={planOf('set-rule', patientUid)}>
            {words.ruleForm.add}
          </Link>
        )
      }
      before={<Limits patientUid={patientUid} isReadOnly={mayManage === false} />}
      said={said || (set && words.ruleForm.isSet(ruleText(set)))}
      items={data}
      error={error ?? maySet.error}
      reload={reload}
      keyOf={({ ruleId }) => ruleId}
      empty={words.ruleForm.none}
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
            setSaid(words.ruleForm.isRemoved(ruleText(rule)))
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
  const { doctorsSetYou, doctorsSet, readOnlyDoctor, limits } = words.ruleForm
  const isOwn = patientUids.includes(patientUid)
  const readOnly = doctorId !== undefined ? readOnlyDoctor : isOwn ? doctorsSetYou : doctorsSet
  return (
    <p class="small muted rules-limits">
      {isReadOnly && `${readOnly} `}
      {limits}
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
  const text = ruleText(rule)
  const isForAll = rule.patientUid === null
  const day = occasionText(setAt, now, { zone, isDayOnly: true })
  const { ruleForm } = words
  return (
    <>
      <div class="item">
        <SeverityMark severity={rule.severity} />
        <strong class="item-head">{sentenceCase(text)}</strong>
        <span>{endText(rule)}</span>
        {isSuspended && <span>{ruleForm.suspended}</span>}
        {open && (
          <span class="rule-open">
            {ruleForm.openSince(momentText(open.openedAt, now, zone), sentText(open.sentTo))}
          </span>
        )}
        {label !== null && (
          <span class="small muted" dir="auto">
            {ruleForm.label(label)}
          </span>
        )}
        <span class="small muted" dir="auto">
          {setBy === subject ? ruleForm.setByYou(day, isForAll) : ruleForm.setBy(author.name, day, isForAll)}
        </span>
      </div>
      {mayChange && (
        <div class="item-actions">
          <Link
            class="link"
            address={address}
            to={planOf('set-rule', patientUid, { rule: ruleId })}
            label={ruleForm.change(text)}
          >
            {words.kit.change}
          </Link>
          <button
            type="button"
            class="link"
            aria-label={ruleForm.remove(text)}
            onClick={() => setAsking(true)}
          >
            {words.kit.remove}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmRemoval
          title={ruleForm.removeIt}
          question={ruleForm.removing(isForAll ? words.plan.allOfYou : patient, text)}
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
    ? words.ruleForm.sentToNobody
    : words.ruleForm.sentTo(sentTo.map(({ name, state }) => words.ruleForm.receiver(name, state)))
