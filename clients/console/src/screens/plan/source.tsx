import type { TargetPreset } from '../../../../typescript/src/client.ts'
import { words } from '../../words/words.ts'

/** Where a published target is published. The year is named once. */
export function Source({ preset: { source } }: { preset: TargetPreset }) {
  const { title, year } = source
  return (
    <span class="small muted">
      {words.targetForm.publishedIn}
      <a href={source.url} target="_blank" rel="noreferrer">
        {title.includes(String(year)) ? title : `${title}, ${year}`}
      </a>
    </span>
  )
}
