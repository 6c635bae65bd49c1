// Published limits beside each other, with their sources. They fill the form; none is chosen beforehand.
import type { ReadingTypeEntry, TargetPreset } from '../../../../typescript/src/client.ts'
import { rangesOf } from '../../care/in-target.ts'
import { rangesText } from '../../care/target-text.ts'
import { words } from '../../words/words.ts'
import { numbersTexts } from './limits-text.ts'
import { Source } from './source.tsx'

type Props = {
  entry: ReadingTypeEntry
  presets: readonly TargetPreset[]
  /** Empty until one is chosen. */
  unit: string
  onUse: (preset: TargetPreset) => void
}

export function Presets({ entry, presets, unit, onUse }: Props) {
  return (
    <div class="field">
      <span class="label">{words.targetForm.published}</span>
      <span class="hint">{words.targetForm.publishedHint}</span>
      <ul class="target-presets">
        {presets.map((preset) => (
          <li key={preset.preset}>
            <div class="target">
              <strong>{preset.title}</strong>
              <span>{presetText(preset, entry, unit)}</span>
              {preset.remark !== null && <span class="small">{preset.remark}</span>}
              <Source preset={preset} />
            </div>
            <button
              type="button"
              class="button"
              aria-label={words.targetForm.fillInOf(preset.title)}
              onClick={() => onUse(preset)}
            >
              {words.targetForm.fillIn}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** In the chosen unit, or in the first. */
function presetText({ units }: TargetPreset, entry: ReadingTypeEntry, chosen: string): string {
  const unit = units[chosen] ? chosen : (Object.keys(units)[0] ?? '')
  const limits = { fields: units[unit] ?? {}, unit }
  const ranges = rangesOf(limits, entry)
  const range = ranges.length === 0 ? [] : [rangesText(ranges)]
  return [...range, ...numbersTexts(limits, entry)].join('. ')
}
