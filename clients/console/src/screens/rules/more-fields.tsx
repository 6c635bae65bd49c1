// What few rules need: when an alert ends, readings that arrive late, and a note.
import { useEffect, useState } from 'preact/hooks'
import { Labelled } from '../add/fields.tsx'
import { DurationField } from './duration-field.tsx'
import type { TypedRule } from './read-rule-form.ts'
import type { FieldsProps } from './rule-fields.tsx'
import { Amount, Whole } from './rule-inputs.tsx'

const MAX_LABEL = 100
const MORE = ['clearBound', 'clearCount', 'maxAge', 'label'] as const

/** It opens where something in it is wrong. */
export function MoreFields(props: FieldsProps) {
  const { typed, mistakes, change } = props
  const isMeasured = typed.kind !== 'missing'
  const isWrong = MORE.some((name) => mistakes[name] !== undefined)
  // What was opened stays open while the mistake is corrected.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isWrong) setOpen(true)
  }, [isWrong])
  return (
    <details class="rule-more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>More: when it ends; late readings; a note</summary>
      <div class="stack">
        {isMeasured && (
          <div class="rule-row">
            {typed.kind !== 'change' && (
              <Amount
                {...props}
                label={`Ends ${endWord(typed)}`}
                hint="Left empty: the bound itself. A bound further away keeps it from coming and going."
                value={typed.clearBound}
                mistake={mistakes.clearBound}
                onChange={(clearBound) => change({ clearBound, isClearAt: false })}
              />
            )}
            <Whole
              label="After so many readings in a row"
              placeholder={usualCount(typed)}
              value={typed.clearCount}
              mistake={mistakes.clearCount}
              onChange={(clearCount) => change({ clearCount })}
            />
          </div>
        )}
        {isMeasured && (
          <DurationField
            label="Stay quiet for readings that arrive later than"
            hint="They are recorded and announced to nobody. Left empty: 1 day."
            duration={typed.maxAge}
            mistake={mistakes.maxAge}
            onChange={(maxAge) => change({ maxAge })}
          />
        )}
        <Labelled label="Note (optional)" mistake={mistakes.label}>
          {(attributes) => (
            <>
              <input
                {...attributes}
                class="input"
                dir="auto"
                maxLength={MAX_LABEL}
                autocomplete="off"
                value={typed.label}
                onInput={({ currentTarget }) => change({ label: currentTarget.value })}
              />
              <span class="hint">The patient sees this note.</span>
            </>
          )}
        </Labelled>
      </div>
    </details>
  )
}

function endWord({ side, isClearAt }: TypedRule): string {
  if (side === 'above') return isClearAt ? 'at or below' : 'below'
  return isClearAt ? 'at or above' : 'above'
}

/** What the service writes into a rule that does not say it. */
function usualCount({ kind, stays, count }: TypedRule): string {
  if (kind !== 'sustained') return '1'
  return stays === 'time' ? '2' : count
}
