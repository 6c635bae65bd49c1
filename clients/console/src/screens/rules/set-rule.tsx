// Setting a rule: about what, when it alerts, how urgent that is; and before it is saved, what it would have done.
import { useRef, useState } from 'preact/hooks'
import { type ReadingTypeEntry, RoundsError, type Rule } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useMayManage } from '../../care/may-manage.ts'
import { clearText, lateText, ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import '../../design/form.css'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { nameOf } from '../../format/type-names.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { MeasuredType, unitFor } from '../targets/measured-type.tsx'
import { useUnitsOfTypes } from '../targets/use-type-units.ts'
import { MoreFields } from './more-fields.tsx'
import { PreviewPanel } from './preview.tsx'
import {
  emptyRule,
  placeOfPointer,
  type RuleMistakes,
  readRuleForm,
  type Terms,
  type TypedRule,
  typedRule,
} from './read-rule-form.ts'
import { ConditionFields, KindChoice, SeverityChoice } from './rule-fields.tsx'
import './rules.css'
import { usePreview } from './use-preview.ts'

export function SetRule(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasAlerts, catalogue, access } = useApp()
  const mayManage = useMayManage(patientUid)
  const { limitedTo } = useStored(access.known).get(patientUid) ?? {}
  const ruleId = address.query.get('rule') ?? undefined
  const units = useUnitsOfTypes(props)
  const loaded = useLoad([patientUid, hasAlerts, ruleId], async (signal) => {
    if (!hasAlerts) return undefined
    const [types, rules] = await Promise.all([catalogue(), rounds.rules.list({ patientUid }, { signal })])
    return { types, rule: rules.data.find((one) => one.ruleId === ruleId) }
  })
  if (!hasAlerts) return <Empty title="This server has no alerts." />
  if (mayManage.data === false)
    return (
      <Empty title="You can see this patient’s alert rules but not change them.">
        <span>Only doctors set them, if the patient lets them.</span>
        <Link class="button" address={address} to={{ path: 'rules' }}>
          Show the rules
        </Link>
      </Empty>
    )
  const failed = [mayManage, loaded, units].find((one) => !one.data && one.error !== undefined)
  if (failed) return <ErrorNotice error={failed.error} onRetry={failed.reload} />
  if (!loaded.data || !units.data || !mayManage.data) return <Loading lines={5} height={64} />
  const { types, rule } = loaded.data
  if (ruleId !== undefined && !rule)
    return (
      <Empty title="This rule is no longer there.">
        <Link class="button" address={address} to={{ path: 'rules' }}>
          Show the rules
        </Link>
      </Empty>
    )
  const offered = [...types.values()].filter(({ readingType }) => limitedTo?.includes(readingType) ?? true)
  const hasReadings = ({ readingType }: ReadingTypeEntry) => units.data?.has(readingType) === true
  const wanted = rule?.readingType ?? address.query.get('type')
  const entry =
    offered.find(({ readingType }) => readingType === wanted) ?? offered.find(hasReadings) ?? offered[0]
  if (!entry) return <Empty title="This service knows no types of readings." />
  return (
    <RuleForm
      key={`${entry.readingType} ${rule?.ruleId ?? ''}`}
      {...props}
      entry={entry}
      rule={rule}
      unit={unitFor(entry, [units.data.get(entry.readingType)])}
      own={offered.filter(hasReadings)}
      others={offered.filter((one) => !hasReadings(one))}
    />
  )
}

type FormProps = ScreenProps & {
  entry: ReadingTypeEntry
  /** The one that is changed. */
  rule: Rule | undefined
  /** That of the newest reading. Empty where a person has to choose. */
  unit: string
  own: readonly ReadingTypeEntry[]
  others: readonly ReadingTypeEntry[]
}

function RuleForm(props: FormProps) {
  const { rounds, patientUid, address, entry, rule } = props
  const [typed, setTyped] = useState<TypedRule>(() =>
    rule ? typedRule(rule, entry) : emptyRule(entry, props.unit),
  )
  const form = useRef<HTMLFormElement>(null)
  const { mistakes, error, isBusy, save, setMistakes } = useSaving(props, typed, form)
  // What is not urgent yet can be tried out.
  const read = readRuleForm(entry, { ...typed, severity: typed.severity ?? 'notice' })
  const terms = 'terms' in read ? read.terms : undefined
  const preview = usePreview(rounds, patientUid, terms)
  const change = (part: Partial<TypedRule>) => {
    setTyped((before) => ({ ...before, ...part }))
    setMistakes({})
  }
  const fields = { entry, typed, mistakes, change }
  return (
    <form
      ref={form}
      class="set-rule"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="panel stack form rule-questions">
        {rule ? (
          <p class="notice">
            <span>
              This changes the rule about <strong>{nameOf(rule.readingType).toLowerCase()}</strong>. An alert
              of it that is open ends with the change, and the changed rule looks at the day before and at
              what comes.
            </span>
          </p>
        ) : (
          <MeasuredType
            label="Alert about what?"
            chosen={entry.readingType}
            own={props.own}
            others={props.others}
            choose={(type) => address.go({ query: { type } }, { replace: true })}
          />
        )}
        <KindChoice {...fields} />
        <ConditionFields {...fields} />
        <SeverityChoice {...fields} />
        <MoreFields {...fields} />
      </div>
      <PreviewPanel
        {...props}
        preview={preview}
        takeSeveral={() => change({ kind: 'sustained', stays: 'count', count: '3', of: '4' })}
      />
      <Saving {...props} {...{ terms, typed, error, isBusy }} />
    </form>
  )
}

type SavingProps = FormProps & {
  terms: Terms | undefined
  typed: TypedRule
  error: unknown
  isBusy: boolean
}

function Saving({ patientUid, address, rule, terms, typed, error, isBusy }: SavingProps) {
  const name = usePatientName(patientUid)
  return (
    <div class="stack rule-saving">
      {terms && (
        <p class="notice form-summary">
          <span dir="auto">
            {typed.severity && <SeverityMark severity={typed.severity} />} For <bdi>{name}</bdi>:{' '}
            {ruleText(terms)}. Ends with {clearText(terms)}. {lateText(terms)}
          </span>
          {!rule && <span class="small muted">It looks at readings that are measured from now on.</span>}
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={isBusy}>
          <span class="clamp one" dir="auto">
            {isBusy ? 'One moment…' : rule ? `Change the rule for ${name}` : `Set the rule for ${name}`}
          </span>
        </button>
        <Link class="button" address={address} to={{ path: 'rules' }}>
          Cancel
        </Link>
      </div>
    </div>
  )
}

/** What was refused stays as it was typed. */
function useSaving(
  { rounds, patientUid, address, entry, rule }: FormProps,
  typed: TypedRule,
  form: { current: HTMLElement | null },
) {
  const [mistakes, setMistakes] = useState<RuleMistakes>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const show = (found: RuleMistakes) => {
    setMistakes(found)
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], .choice-missing button')?.focus(),
    )
  }
  const save = async () => {
    const read = readRuleForm(entry, typed)
    if ('mistakes' in read) return show(read.mistakes)
    setBusy(true)
    setError(undefined)
    try {
      const { data } = await rounds.rules.set({
        ...read.terms,
        patientUid,
        ...(rule && { ruleId: rule.ruleId }),
      })
      // Whoever has left the form meanwhile stays where they are.
      if (form.current) address.go({ path: 'rules', query: { [rule ? 'changed' : 'set']: data.ruleId } })
    } catch (failure) {
      const found = mistakesIn(failure)
      if (found) show(found)
      setError(failure)
      setBusy(false)
    }
  }
  return { mistakes, error, isBusy, save, setMistakes }
}

function mistakesIn(error: unknown): RuleMistakes | undefined {
  if (!(error instanceof RoundsError) || error.code !== 'ValidationFailed') return undefined
  const found = error.errors.flatMap(({ pointer, message }) => {
    const place = placeOfPointer(pointer)
    return place === undefined ? [] : [[place, `It ${message}.`] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
