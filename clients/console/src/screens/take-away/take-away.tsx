// Take it away: the chosen range as a file for a spreadsheet or a program, or on paper for the doctor.
import { useId, useState } from 'preact/hooks'
import type { ExportFormat } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { bytesText } from '../../words/numbers.ts'
import { nameOf } from '../../words/type-names.ts'
import { instantsOf, rangeIn } from './chosen-range.ts'
import { RangeForm } from './range-form.tsx'
import { saveExport } from './save-export.ts'
import './take-away.css'

type Saving = { bytes: number } | { name: string; bytes: number } | { error: unknown }

export function TakeAway({ rounds, patientUid, zone, address }: ScreenProps) {
  const { catalogue } = useApp()
  const id = useId()
  const { data: types } = useLoad(() => catalogue(), [])
  const [saving, setSaving] = useState<Saving>()
  const range = rangeIn(address.query, Date.now(), zone)
  const type = address.query.get('type')
  const withdrawn = address.query.get('withdrawn') === 'include' ? ('include' as const) : undefined
  const isBusy = saving !== undefined && !('name' in saving) && !('error' in saving)

  const save = async (format: ExportFormat) => {
    setSaving({ bytes: 0 })
    try {
      const query = {
        patientUid,
        ...instantsOf(range, zone),
        readingType: type === null ? undefined : [type],
        withdrawn,
      }
      const response = await rounds.exportReadings(format, query)
      let total = 0
      const name = await saveExport(response, (bytes) => {
        total = bytes
        setSaving({ bytes })
      })
      setSaving({ name, bytes: total })
    } catch (error) {
      setSaving({ error })
    }
  }
  const choose = (query: Record<string, string | undefined>) => address.go({ query }, { replace: true })
  const asked = Object.fromEntries(
    ['range', 'from', 'to', 'type'].map((name) => [name, address.query.get(name) ?? undefined]),
  )
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
          Also readings that were withdrawn, in files
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
        <Way title="For the doctor" about="On paper or as PDF: one page for each type.">
          <Link class="button" address={address} to={{ path: 'print', query: asked }}>
            See the pages
          </Link>
        </Way>
        <div role="status" class="saved">
          {saving && 'error' in saving && <ErrorNotice error={saving.error} />}
          {saving && !('error' in saving) && (
            <p class={'name' in saving ? 'notice good' : 'notice'}>
              {'name' in saving ? (
                <>
                  Saved {saving.name}, {bytesText(saving.bytes)}. It holds health data: keep it where only you
                  can read it.
                </>
              ) : (
                <>Fetching readings: {bytesText(saving.bytes)} so far.</>
              )}
            </p>
          )}
        </div>
      </section>
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
