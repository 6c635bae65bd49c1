// Export: the chosen range as a file for a spreadsheet or a program.
import { useId, useState } from 'preact/hooks'
import type { ExportFormat } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { bytesText } from '../../format/numbers.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { instantsOf, rangeIn } from './chosen-range.ts'
import { RangeForm } from './range-form.tsx'
import './export.css'

type Saving = { bytes: number } | { name: string; bytes: number } | { error: unknown }

export function Export({ rounds, patientUid, zone, address }: ScreenProps) {
  const { catalogue } = useApp()
  const id = useId()
  const { data: types } = useLoad('catalogue', () => catalogue())
  const range = rangeIn(address.query, Date.now(), zone)
  const type = address.query.get('type')
  const withdrawn = address.query.get('withdrawn') === 'include' ? ('include' as const) : undefined
  const { saving, save } = useSaving(async (format, onBytes) => {
    const readingType = type === null ? undefined : [type]
    const query = { patientUid, ...instantsOf(range, zone), readingType, withdrawn }
    return saveExport(await rounds.exportReadings(format, query), onBytes)
  })
  const isBusy = saving !== undefined && !('name' in saving) && !('error' in saving)
  const choose = (query: Record<string, string | undefined>) => address.go({ query }, { replace: true })
  return (
    <div class="take-away">
      <section class="panel stack" aria-label="What to take">
        <RangeForm range={range} address={address} zone={zone} />
        <div class="field">
          <label for={id}>Which readings?</label>
          <select
            id={id}
            class="input"
            value={type ?? ''}
            onChange={({ currentTarget }) => choose({ type: currentTarget.value || undefined })}
          >
            <option value="">All types</option>
            {[...new Set([...(types?.keys() ?? []), ...(type === null ? [] : [type])])].map((one) => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={withdrawn !== undefined}
            onChange={({ currentTarget }) =>
              choose({ withdrawn: currentTarget.checked ? 'include' : undefined })
            }
          />
          Also readings that were withdrawn
        </label>
      </section>
      <section class="ways" aria-label="How to take it">
        <Way title="For a spreadsheet" about="CSV: a table with one row for each reading.">
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void save('csv')}>
            Save CSV
          </button>
        </Way>
        <Way title="For a program" about="NDJSON: each reading as it was sent, one on each line.">
          <button type="button" class="button" disabled={isBusy} onClick={() => void save('ndjson')}>
            Save NDJSON
          </button>
        </Way>
        <Saved saving={saving} />
      </section>
    </div>
  )
}

/** Saves with a function that resolves to the name of the file. */
function useSaving(saveAs: (format: ExportFormat, onBytes: (bytes: number) => void) => Promise<string>) {
  const [saving, setSaving] = useState<Saving>()
  const save = async (format: ExportFormat) => {
    let total = 0
    setSaving({ bytes: 0 })
    try {
      const name = await saveAs(format, (bytes) => {
        total = bytes
        setSaving({ bytes })
      })
      setSaving({ name, bytes: total })
    } catch (error) {
      setSaving({ error })
    }
  }
  return { saving, save }
}

function Saved({ saving }: { saving: Saving | undefined }) {
  return (
    <div role="status" class="saved">
      {saving && 'error' in saving && <ErrorNotice error={saving.error} />}
      {saving && !('error' in saving) && (
        <p class={'name' in saving ? 'notice good' : 'notice'}>
          {'name' in saving ? (
            <>
              Saved {saving.name}, {bytesText(saving.bytes)}. It holds health data: keep it where only you can
              read it.
            </>
          ) : (
            <>Fetching readings: {bytesText(saving.bytes)} so far.</>
          )}
        </p>
      )}
    </div>
  )
}

function Way({
  title,
  about,
  children,
}: {
  title: string
  about: string
  children: preact.ComponentChildren
}) {
  return (
    <div class="way panel">
      <div>
        <h2>{title}</h2>
        <p class="muted small">{about}</p>
      </div>
      {children}
    </div>
  )
}

/** Saves an export as a file of the browser, and says how many bytes have come so far. A file that was cut off is not saved. */
async function saveExport(response: Response, onBytes: (bytes: number) => void): Promise<string> {
  const name = fileNameOf(response) ?? 'readings'
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    chunks.push(part.value)
    bytes += part.value.length
    onBytes(bytes)
  }
  const address = URL.createObjectURL(
    new Blob(chunks, { type: response.headers.get('content-type') ?? 'application/octet-stream' }),
  )
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return name
}

function fileNameOf(response: Pick<Response, 'headers'>): string | undefined {
  return /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}
