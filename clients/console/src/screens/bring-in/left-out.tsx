// What a file holds that is not stored: entries that are not understood, and those that are left out, each with the reason.
import type { ImportPreview } from '../../../../typescript/src/import/import-readings.ts'
import { countText } from '../../format/numbers.ts'

/** So many are read at a glance; the others on demand. */
const MAX_OPEN = 5

export function LeftOut({ preview: { notUnderstood, skipped } }: { preview: ImportPreview }) {
  const total = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {skipped.length > 0 && (
        <details class="left-out" open={skipped.length <= MAX_OPEN}>
          <summary>{countText(total(skipped), 'entry is', 'entries are')} skipped</summary>
          <ul>
            {skipped.map(({ reason, count, example }) => (
              <li key={reason}>
                <span dir="auto">
                  {reason} <span class="muted small">({countText(count, 'entry', 'entries')})</span>
                </span>
                {example && (
                  <span class="muted small example">
                    Such as <span class="written">{example}</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {notUnderstood.length > 0 && (
        <details class="left-out" open={notUnderstood.length <= MAX_OPEN}>
          <summary>
            {countText(total(notUnderstood), 'entry is', 'entries are')} of a kind that Rounds does not take
          </summary>
          <ul>
            {notUnderstood.map(({ name, count }) => (
              <li key={name}>
                <span class="written">{name}</span>{' '}
                <span class="muted small">({countText(count, 'entry', 'entries')})</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
