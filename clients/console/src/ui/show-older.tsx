import type { Older } from '../hooks/use-pages.ts'
import { words } from '../words/words.ts'
import { ErrorNotice } from './notice.tsx'

export function ShowOlder({ isMore, isBusy, error, show }: Older) {
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      {isMore && (
        <p class="more">
          <button type="button" class="button" aria-disabled={isBusy} onClick={() => !isBusy && void show()}>
            {isBusy ? words.kit.oneMoment : words.kit.showOlder}
          </button>
        </p>
      )}
    </>
  )
}
