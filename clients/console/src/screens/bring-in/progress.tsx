// While a file is read, while its readings are sent, which can both be stopped, and while they are withdrawn.
import { useApp } from '../../app.ts'
import type { BringIn } from '../../bring-in/bring-in.ts'
import { errorText } from '../../format/error-text.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { useOnline } from '../../hooks/use-online.ts'
import type { ScreenProps } from '../../screen.ts'
import { namedFor } from '../../session/patient-for.ts'
import { fileText } from './import-text.ts'

type Reading = Extract<BringIn, { state: 'reading' }>

export function ReadingFile({ now, stop }: { now: Reading; stop: () => void }) {
  const { file, progress } = now
  return (
    <section class="panel stack bring-in" aria-labelledby="file-heading">
      <FileHeading file={file} text={fileText(file)} />
      <Bar
        label="Reading the file"
        part={progress && progress.bytes > 0 ? progress.bytesRead / progress.bytes : 0}
        text={`${countText(progress?.found ?? 0, 'reading')} found so far. Nothing is stored yet.`}
      />
      <p class="row">
        <button type="button" class="button" onClick={stop}>
          Stop
        </button>
      </p>
    </section>
  )
}

export function Bringing({
  now,
  patientUid,
}: ScreenProps & { now: Extract<BringIn, { state: 'bringing' }> }) {
  const { person } = useApp().session
  const isOnline = useOnline()
  const { file, preview, counts, held, isStopping, stop } = now
  const found = preview.types.reduce((sum, { count }) => sum + count, 0)
  const sent = counts.stored + counts.duplicates + counts.rejected
  return (
    <section class="panel stack bring-in" aria-labelledby="file-heading">
      <FileHeading file={file} text={fileText(file, preview.format)} />
      <Bar
        label={`Importing${namedFor(person, patientUid)}`}
        part={found > 0 ? sent / found : 0}
        text={`${countText(sent, 'reading')} of ${numberText(found)} sent.`}
      />
      <div role="status">
        {(!isOnline || held !== undefined) && !isStopping && (
          <p class="notice">
            <strong>{isOnline && held ? errorText(held).title : 'There is no network.'}</strong>
            <span>It goes on by itself as soon as it can. Keep this page open.</span>
          </p>
        )}
        {isStopping && <p>It stops as soon as what was sent is answered.</p>}
      </div>
      <p class="muted small">
        Keep this page open until it has ended; you may look at other screens of it meanwhile. If it is cut
        off, bring the same file in again: nothing is stored twice.
      </p>
      <p class="row">
        <button type="button" class="button" aria-disabled={isStopping} onClick={() => !isStopping && stop()}>
          {isStopping ? 'Stopping…' : 'Stop'}
        </button>
      </p>
    </section>
  )
}

export function Withdrawing({ now }: { now: Extract<BringIn, { state: 'withdrawing' }> }) {
  const { file, preview, done, storedHere } = now
  return (
    <section class="panel stack bring-in" aria-labelledby="file-heading">
      <FileHeading file={file} text={fileText(file, preview.format)} />
      <Bar
        label={`Withdrawing what was imported for ${now.patientUid}`}
        part={storedHere.length > 0 ? done / storedHere.length : 1}
        text={`${countText(done, 'reading')} of ${numberText(storedHere.length)} withdrawn. Keep this page open until it has ended.`}
      />
    </section>
  )
}

export function FileHeading({ file, text }: { file: File; text: string }) {
  return (
    <div>
      <h2 id="file-heading" class="file-name" tabIndex={-1}>
        <bdi>{file.name}</bdi>
      </h2>
      <p class="muted small">{text}</p>
    </div>
  )
}

function Bar({ label, part, text }: { label: string; part: number; text: string }) {
  const percent = Math.min(100, Math.floor(part * 100))
  return (
    <div class="bar">
      <span class="bar-head">
        <strong id="bar-label" dir="auto">
          {label}
        </strong>
        <span aria-hidden="true">{percent} %</span>
      </span>
      <progress aria-labelledby="bar-label" max={100} value={percent} />
      <span class="muted small">{text}</span>
    </div>
  )
}
