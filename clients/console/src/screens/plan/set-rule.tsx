// A rule as a sentence with gaps: for one patient or for all who share, and before it is saved, what it would have done.
import { useState } from 'preact/hooks'
import type { ReadingTypeEntry, Rule } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { endText } from '../../care/rule-text.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { unitSign } from '../../format/units.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { unitFor } from './measured-type.tsx'
import { planOf } from './plan-address.ts'
import { PreviewPanel } from './preview.tsx'
import {
  emptyRule,
  mistakesIn,
  type RuleMistakes,
  readRuleForm,
  type Terms,
  type TypedRule,
  typedRule,
} from './read-rule-form.ts'
import { Sentence } from './rule-sentence.tsx'
import './rules.css'
import { words } from '../../words/words.ts'
import { useUnitsOfTypes } from './use-type-units.ts'

const MAX_LABEL = 100
const NONE: RuleMistakes = {}

export function SetRule(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasAlerts, catalogue, access } = useApp()
  const maySet = useMaySetTargets(patientUid)
  const { limitedTo } = useStored(access.known).get(patientUid) ?? {}
  const ruleId = address.query.get('rule') ?? undefined
  const units = useUnitsOfTypes(props)
  const whose = patientUid === '' ? {} : { patientUid }
  const loaded = useLoad([patientUid, hasAlerts, ruleId], async (signal) => {
    if (!hasAlerts) return undefined
    const [types, rules] = await Promise.all([catalogue(), rounds.rules.list(whose, { signal })])
    return { types, rule: rules.data.find((one) => one.ruleId === ruleId) }
  })
  const back = (
    <Link class="button" address={address} to={planOf(undefined, patientUid)}>
      {words.ruleForm.show}
    </Link>
  )
  if (!hasAlerts) return <Empty title={words.plan.noAlerts} />
  if (maySet.data === false)
    return (
      <Empty title={words.ruleForm.mayNotSet}>
        <span>{words.ruleForm.whoSets}</span>
        {back}
      </Empty>
    )
  const failed = [maySet, loaded, units].find((one) => !one.data && one.error !== undefined)
  if (failed || !loaded.data || !units.data || !maySet.data)
    return <Awaited error={failed?.error} reload={failed?.reload ?? loaded.reload} lines={5} height={64} />
  const { types, rule } = loaded.data
  if (ruleId !== undefined && !rule) return <Empty title={words.ruleForm.gone}>{back}</Empty>
  const isOffered = (type: string) => types.has(type) && (limitedTo?.includes(type) ?? true)
  // Those with readings of the patient first.
  const offered = [...new Set([...units.data.keys(), ...types.keys()])].filter(isOffered)
  const wanted = rule?.readingType ?? address.query.get('type') ?? ''
  const entry = types.get(
    isOffered(wanted) ? wanted : (offered.find((type) => types.get(type)?.numbers.length) ?? ''),
  )
  if (!entry) return <Empty title={words.plan.typeless} />
  return (
    <RuleForm
      {...props}
      rule={rule}
      types={types}
      offered={offered}
      begun={
        rule ? typedRule(rule, entry) : emptyRule(entry, unitFor(entry, [units.data.get(entry.readingType)]))
      }
      unitOf={(other) => unitFor(other, [units.data?.get(other.readingType)])}
    />
  )
}

type FormProps = ScreenProps & {
  /** The one that is changed. */
  rule: Rule | undefined
  types: Catalogue
  offered: readonly string[]
  begun: TypedRule
  /** That of the newest reading. Empty where a person has to choose. */
  unitOf: (entry: ReadingTypeEntry) => string
}

function RuleForm(props: FormProps) {
  const { rounds, patientUid, address, types, rule, begun } = props
  const name = usePatientName(patientUid)
  const [typed, setTyped] = useState(begun)
  const [isForAll, setForAll] = useState(patientUid === '')
  const entry = types.get(typed.readingType)
  // What is not urgent yet can be tried out.
  const tried = readRuleForm(entry, { ...typed, severity: typed.severity ?? 'warning' })
  const { mistakes, forget, frame } = useForm<Terms, RuleMistakes>(NONE, {
    read: readRuleForm(entry, typed),
    async send(terms) {
      const whom = isForAll ? {} : { patientUid }
      const { data } = await rounds.rules.set({ ...whom, ...terms, ...(rule && { ruleId: rule.ruleId }) })
      return planOf(undefined, patientUid, { rule: data.ruleId })
    },
    found: mistakesIn,
    address,
  })
  const change = (part: Partial<TypedRule>) => {
    setTyped((before) => ({ ...before, ...part }))
    forget()
  }
  const whose = { isForAll, setForAll, name }
  const { kinds } = words.ruleForm
  return (
    <Form
      {...frame}
      class="panel stack set-rule"
      verb={words.ruleForm.setFor(isForAll ? words.ruleForm.all : name)}
      back={planOf(undefined, patientUid)}
      after={'terms' in tried && <span class="small muted">{endText(tried.terms)}</span>}
    >
      <Segments
        label={words.ruleForm.tellMeAbout}
        options={[
          ['symptom', kinds.symptom],
          ['value', kinds.value],
          ['change', kinds.change],
          ['missing', kinds.missing],
        ]}
        value={typed.kind}
        set={(kind) => change({ kind })}
      />
      <Sentence {...props} {...{ entry, typed, mistakes, change }} />
      <Choices {...props} {...whose} {...{ typed, mistakes, change }} />
      <PreviewPanel
        {...props}
        entry={entry}
        isForAll={isForAll}
        terms={'terms' in tried ? tried.terms : undefined}
      />
      <p class="notice rule-sent">
        <strong>{words.ruleForm.nobody}</strong>
        <span>{words.ruleForm.receivers}</span>
      </p>
    </Form>
  )
}

type ChoicesProps = FormProps & {
  isForAll: boolean
  setForAll: (isForAll: boolean) => void
  name: string
  typed: TypedRule
  mistakes: RuleMistakes
  change: (part: Partial<TypedRule>) => void
}

/** For whom, how urgent, when it ends, and what it is called. */
function Choices(props: ChoicesProps) {
  const { patientUid, rule, isForAll, setForAll, name, typed, mistakes, change } = props
  return (
    <>
      <div class="rule-row">
        {patientUid !== '' && !rule && (
          <Segments
            label={words.plan.forWhom}
            options={[
              [false, name],
              [true, words.ruleForm.allMyPatients],
            ]}
            value={isForAll}
            set={setForAll}
          />
        )}
        <Segments
          label={words.ruleForm.howUrgent}
          options={[
            ['urgent', words.ruleForm.urgent],
            ['warning', words.ruleForm.warning],
          ]}
          value={typed.severity}
          mistake={mistakes.severity}
          set={(severity) => change({ severity })}
        />
      </div>
      {typed.kind === 'value' && (
        <TextField
          label={typed.side === 'above' ? words.ruleForm.endsBelow : words.ruleForm.endsAbove}
          hint={words.ruleForm.endsHint}
          value={typed.clear}
          unit={unitSign(typed.unit)}
          mistake={mistakes.clear}
          isNumber
          set={(clear) => change({ clear })}
        />
      )}
      <TextField
        label={words.ruleForm.called}
        hint={words.ruleForm.calledHint}
        value={typed.label}
        maxLength={MAX_LABEL}
        mistake={mistakes.label}
        set={(label) => change({ label })}
      />
    </>
  )
}
