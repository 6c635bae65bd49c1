// One rule for other patients: who of those who let this doctor manage, under which name, and what became of each.
import { useId, useState } from 'preact/hooks'
import type { Rule, SharingPatient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useMayManage } from '../../care/may-manage.ts'
import { clearText, restText, ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import '../../design/form.css'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { errorText } from '../../format/error-text.ts'
import { countText } from '../../format/numbers.ts'
import { nameWithin } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Labelled } from '../add/fields.tsx'
import './rules.css'
import { termsOf } from './terms-of.ts'
import { type Outcome, useApplying } from './use-applying.ts'

const PAGE = 100
const MAX_TEMPLATE = 60

export function ApplyRule(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasAlerts } = useApp()
  const mayManage = useMayManage(patientUid)
  const ruleId = address.query.get('rule')
  const { data, error, reload } = useLoad(
    async (signal) => {
      if (!hasAlerts || mayManage !== true) return undefined
      const { data: rules } = await rounds.rules.list({ patientUid }, { signal })
      const patients: SharingPatient[] = []
      for await (const patient of rounds.patients.each({ limit: PAGE }, { signal })) patients.push(patient)
      return { rule: rules.find((one) => one.ruleId === ruleId), patients }
    },
    [hasAlerts, mayManage, ruleId],
  )
  if (!hasAlerts) return <Empty title="This server has no alerts." />
  const back = (
    <Link class="button" address={address} to={{ path: 'rules' }}>
      Show the rules
    </Link>
  )
  if (mayManage === false)
    return <Empty title="You can see this patient’s alert rules but not change them.">{back}</Empty>
  if (!data && error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (!data) return <Loading lines={5} height={64} />
  const { rule, patients } = data
  if (!rule) return <Empty title="This rule is no longer there.">{back}</Empty>
  return <ApplyForm {...props} rule={rule} patients={patientsFor(rule, patients)} />
}

/** Those who let this doctor manage, and share the type. */
const patientsFor = ({ patientUid, readingType }: Rule, patients: readonly SharingPatient[]) =>
  patients.filter(
    (one) =>
      one.patientUid !== patientUid &&
      one.permission === 'manage' &&
      (one.readingTypes === null || one.readingTypes.includes(readingType)),
  )

const nameOfPatient = ({ sharedAs, patientUid }: SharingPatient) => sharedAs ?? patientUid

type FormProps = ScreenProps & { rule: Rule; patients: readonly SharingPatient[] }

function ApplyForm(props: FormProps) {
  const { rounds, address, rule, patients } = props
  const [template, setTemplate] = useState(rule.template ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [mistake, setMistake] = useState<'template' | 'patients'>()
  const name = template.replace(/\s+/g, ' ').trim()
  const { outcomes, isBusy, apply } = useApplying((patientUid) =>
    rounds.rules.set({ ...termsOf(rule), patientUid, template: name }),
  )
  const failed = [...outcomes].flatMap(([uid, { state }]) => (state === 'failed' ? [uid] : []))
  const hasBegun = outcomes.size > 0
  const submit = (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    if (hasBegun) return void apply(failed)
    if (name === '') return setMistake('template')
    if (chosen.size === 0) return setMistake('patients')
    void apply([...chosen])
  }
  if (patients.length === 0)
    return (
      <Empty title="No other patient lets you set rules of this type.">
        <span>
          Others must share {nameWithin(rule.readingType)} with you, and let you set targets and rules.
        </span>
        <Link class="button" address={address} to={{ path: 'rules' }}>
          Show the rules
        </Link>
      </Empty>
    )
  return (
    <form class="panel stack form apply-rule" noValidate onSubmit={submit}>
      <RuleToApply {...props} />
      {hasBegun ? (
        <Outcomes patients={patients} outcomes={outcomes} isBusy={isBusy} template={name} />
      ) : (
        <>
          <NameOfRule
            name={template}
            mistake={mistake === 'template' ? 'Type a name.' : undefined}
            onChange={(text) => {
              setTemplate(text)
              setMistake(undefined)
            }}
          />
          <PatientChoice
            patients={patients}
            chosen={chosen}
            mistake={mistake === 'patients' ? 'Choose at least one patient.' : undefined}
            choose={(uids) => {
              setChosen(uids)
              setMistake(undefined)
            }}
          />
        </>
      )}
      <div class="row">
        {(!hasBegun || failed.length > 0 || isBusy) && (
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            {isBusy
              ? 'One moment…'
              : hasBegun
                ? `Try again for ${countText(failed.length, 'patient')}`
                : chosen.size === 0
                  ? 'Apply to the chosen patients'
                  : `Apply to ${countText(chosen.size, 'patient')}`}
          </button>
        )}
        <Link class="button" address={address} to={{ path: 'rules' }}>
          {hasBegun ? 'Back to the rules' : 'Cancel'}
        </Link>
      </div>
    </form>
  )
}

type NameProps = { name: string; mistake: string | undefined; onChange: (name: string) => void }

function NameOfRule({ name, mistake, onChange }: NameProps) {
  return (
    <Labelled label="Name of the rule" mistake={mistake}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            class="input"
            dir="auto"
            maxLength={MAX_TEMPLATE}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <span class="hint">
            A patient has one rule of each name: this one replaces another of the same name.
          </span>
        </>
      )}
    </Labelled>
  )
}

function RuleToApply({ patientUid, rule }: FormProps) {
  const name = usePatientName(patientUid)
  return (
    <div class="notice form-summary">
      <span>
        <SeverityMark severity={rule.severity} /> {ruleText(rule)}. Ends with {clearText(rule)}.{' '}
        {restText(rule)}
      </span>
      <span class="small muted">
        The rule of <bdi>{name}</bdi>. How often it would alert for the others was not looked at: their
        readings differ.
      </span>
    </div>
  )
}

type ChoiceProps = {
  patients: readonly SharingPatient[]
  chosen: ReadonlySet<string>
  mistake: string | undefined
  choose: (patientUids: ReadonlySet<string>) => void
}

/** From so many on, there is a search. */
const MANY = 8

function PatientChoice({ patients, chosen, mistake, choose }: ChoiceProps) {
  const [wanted, setWanted] = useState('')
  const id = useId()
  const words = wanted.trim().toLocaleLowerCase()
  const found = patients.filter((one) =>
    `${nameOfPatient(one)} ${one.patientUid}`.toLocaleLowerCase().includes(words),
  )
  const areAllChosen = found.length > 0 && found.every(({ patientUid }) => chosen.has(patientUid))
  const toggle = (uids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const uid of uids) {
      if (isChosen) next.add(uid)
      else next.delete(uid)
    }
    choose(next)
  }
  return (
    <fieldset class="field" aria-describedby={`${id}-wrong`}>
      <legend class="label">Which patients?</legend>
      <span class="hint">Those who let you set targets and rules.</span>
      {patients.length > MANY && (
        <div class="field">
          <label for={id}>Find by name or id</label>
          <input
            id={id}
            class="input"
            type="search"
            dir="auto"
            autocomplete="off"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <label class="check apply-all">
        <input
          type="checkbox"
          checked={areAllChosen}
          onChange={() =>
            toggle(
              found.map(({ patientUid }) => patientUid),
              !areAllChosen,
            )
          }
        />
        {words === '' ? `All ${countText(found.length, 'patient')}` : `All ${found.length} found`}
      </label>
      <div class="apply-patients">
        {found.map((patient) => (
          <label key={patient.patientUid} class="check">
            <input
              type="checkbox"
              checked={chosen.has(patient.patientUid)}
              aria-invalid={mistake !== undefined}
              onChange={() => toggle([patient.patientUid], !chosen.has(patient.patientUid))}
            />
            <span>
              <bdi>{nameOfPatient(patient)}</bdi>
              {patient.sharedAs !== null && <span class="small muted"> {patient.patientUid}</span>}
            </span>
          </label>
        ))}
      </div>
      <span class="wrong" id={`${id}-wrong`} role="status">
        {mistake}
      </span>
    </fieldset>
  )
}

type OutcomesProps = {
  patients: readonly SharingPatient[]
  outcomes: ReadonlyMap<string, Outcome>
  isBusy: boolean
  template: string
}

function Outcomes({ patients, outcomes, isBusy, template }: OutcomesProps) {
  const states = [...outcomes.values()].map(({ state }) => state)
  const count = (wanted: Outcome['state']) => states.filter((state) => state === wanted).length
  const [set, failed] = [count('set'), count('failed')]
  const said = isBusy
    ? `${set} of ${countText(outcomes.size, 'patient')} done…`
    : failed === 0
      ? `“${template}” is set for ${countText(set, 'patient')}.`
      : `“${template}” is set for ${countText(set, 'patient')}, and not for ${failed}.`
  return (
    <>
      <p role="status">
        <strong>{said}</strong>
      </p>
      <ul class="apply-outcomes">
        {patients.flatMap((patient) => {
          const outcome = outcomes.get(patient.patientUid)
          if (!outcome) return []
          return [
            <li key={patient.patientUid}>
              <bdi>{nameOfPatient(patient)}</bdi>
              <OutcomeText outcome={outcome} />
            </li>,
          ]
        })}
      </ul>
    </>
  )
}

function OutcomeText({ outcome }: { outcome: Outcome }) {
  if (outcome.state === 'set') return <span class="apply-set">✓ set</span>
  if (outcome.state === 'waiting') return <span class="muted">waiting…</span>
  const { title, advice } = errorText(outcome.error)
  return (
    <span class="wrong">
      ✗ not set: {title} {advice}
    </span>
  )
}
