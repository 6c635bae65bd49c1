import type { TargetPreset } from '../../../../typescript/src/client.ts'

/** Where a published target is published. */
export function Source({ preset: { source } }: { preset: TargetPreset }) {
  return (
    <span class="small muted">
      Published in{' '}
      <a href={source.url} target="_blank" rel="noreferrer">
        {source.title}, {source.year}
      </a>
    </span>
  )
}
