// The fields of forms: a label, a hint, what is wrong, and the input itself. All forms on the kit are made of these.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Common = { label: ComponentChildren; hint?: ComponentChildren; mistake?: string | undefined }
type Attributes = { id: string; 'aria-invalid': boolean; 'aria-describedby': string }

export function Field(props: Common & { children: (attributes: Attributes) => ComponentChildren }) {
  const { label, hint, mistake, children } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': mistake !== undefined,
        'aria-describedby': hint === undefined ? `${id}-wrong` : `${id}-hint ${id}-wrong`,
      })}
      <Notes id={id} hint={hint} mistake={mistake} />
    </div>
  )
}

function Notes({ id, hint, mistake }: { id: string } & Omit<Common, 'label'>) {
  return (
    <>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <span class="wrong" id={`${id}-wrong`} role="status">
        {mistake}
      </span>
    </>
  )
}

type TextProps = Common & {
  value: string
  set: (value: string) => void
  unit?: string
  maxLength?: number
  minLength?: number
  rows?: number
  isNumber?: boolean
  /** Of a form that the browser checks. */
  isRequired?: boolean
  /** Not a word of any language. */
  isId?: boolean
  /** From the start. */
  isFocused?: boolean
}

export function TextField(props: TextProps) {
  const {
    label,
    hint,
    mistake,
    value,
    set,
    unit,
    isNumber,
    isRequired,
    isId,
    isFocused = false,
    ...lengths
  } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])
  return (
    <Field label={label} hint={hint} mistake={mistake}>
      {(attributes) => {
        const input = (
          <input
            {...attributes}
            class={isNumber ? 'input number' : 'input'}
            dir="auto"
            autocomplete="off"
            ref={field}
            {...(isNumber && { inputMode: 'decimal' as const })}
            {...(isRequired && { required: true })}
            {...(isId && { spellcheck: false })}
            {...lengths}
            value={value}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        )
        if (unit === undefined) return input
        return (
          <span class="with-unit">
            {input}
            <span class="unit">{unit}</span>
          </span>
        )
      }}
    </Field>
  )
}

export function TextArea({ value, set, maxLength = 1_000, rows = 2, ...common }: TextProps) {
  return (
    <Field {...common}>
      {(attributes) => (
        <textarea
          {...attributes}
          class="input"
          dir="auto"
          rows={rows}
          maxLength={maxLength}
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  )
}

type Option<Value> = readonly [value: Value, text: string]

type ChoiceProps<Value> = Common & {
  /** Undefined until one is chosen. */
  value: Value | undefined
  set: (value: Value) => void
  options: readonly Option<Value>[]
}

export function SelectField({ value, set, options, ...common }: ChoiceProps<string>) {
  return (
    <Field {...common}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** One of a few choices, in a row of buttons. None is chosen until a person presses one. */
export function Segments<Value extends Chosen>(props: ChoiceProps<Value>) {
  const { label, hint, value, set, options } = props
  const id = useId()
  const mistake = options.some(([one]) => one === value) ? undefined : props.mistake
  return (
    <div class={mistake === undefined ? 'field' : 'field choice-missing'}>
      <span class="label" id={id}>
        {label}
      </span>
      <Choice aria-labelledby={id} aria-describedby={`${id}-wrong`} {...{ value, set, options }} />
      <Notes id={id} hint={hint} mistake={mistake} />
    </div>
  )
}

type Chosen = string | number | boolean

type BareProps<Value> = Omit<ChoiceProps<Value>, keyof Common> & {
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
}

/** The same without a label that is seen. */
export function Choice<Value extends Chosen>({ value, set, options, ...named }: BareProps<Value>) {
  return (
    <div class="seg" role="group" {...named}>
      {options.map(([one, text]) => (
        <button key={String(one)} type="button" aria-pressed={one === value} onClick={() => set(one)}>
          {text}
        </button>
      ))}
    </div>
  )
}
