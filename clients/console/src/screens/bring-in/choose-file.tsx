// Choosing a file, or dropping one anywhere on the screen.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import type { BringIn } from '../../bring-in/bring-in.ts'
import { Icon } from '../../layout/icons.tsx'
import type { ScreenProps } from '../../screen.ts'
import { namedFor } from '../../session/patient-for.ts'
import { unreadableText } from './import-text.ts'

type Props = ScreenProps & {
  /** The file that was chosen before, and why it could not be read. */
  unreadable: Extract<BringIn, { state: 'unreadable' }> | undefined
  choose: (file: File) => void
}

/** Each with where its file comes from. */
const SOURCES = [
  ['Apple Health', 'export.zip', 'In the Health app, tap your picture, then “Export All Health Data”.'],
  ['LibreView', 'CSV', 'On libreview.com, under “Glucose history”: “Download glucose data”.'],
  ['Dexcom Clarity', 'CSV', 'On clarity.dexcom.com: “Export”.'],
  ['Nightscout', 'entries.json', 'From your site, at /api/v1/entries.json?count=100000.'],
  ['Rounds', 'CSV or NDJSON', 'Saved here or elsewhere under “Export”.'],
] as const

export function ChooseFile({ patientUid, unreadable, choose }: Props) {
  const { person } = useApp().session
  const input = useRef<HTMLInputElement>(null)
  const [mistake, setMistake] = useState<string>()
  const take = (files: readonly File[]) => {
    const [file, ...others] = files
    if (others.length > 0) setMistake('Choose one file at a time.')
    else if (file) choose(file)
  }
  const isOver = useDropped(take, setMistake)
  const wrong =
    mistake === undefined
      ? unreadable && unreadableText(unreadable.error, unreadable.file)
      : { title: mistake }
  return (
    <div class="bring-in stack">
      {wrong && (
        <div class="notice bad" role="alert">
          <strong dir="auto">{wrong.title}</strong>
          {'advice' in wrong && <span dir="auto">{wrong.advice}</span>}
        </div>
      )}
      <section class={isOver ? 'panel drop is-over' : 'panel drop'} aria-labelledby="drop-heading">
        <Icon name="bring-in" />
        <h2 id="drop-heading" dir="auto">
          {isOver ? 'Let go to see what is in it' : `Import a file${namedFor(person, patientUid)}`}
        </h2>
        <p class="muted">
          <span class="by-mouse">Drop it here, or choose it. </span>You see what it holds before anything is
          stored.
        </p>
        <button type="button" class="button primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])])
            // The same one may be chosen again.
            currentTarget.value = ''
          }}
        />
        <p class="muted small">
          The file is read on this device. Only the readings in it are sent to the record.
        </p>
      </section>
      <section aria-labelledby="sources-heading">
        <h2 id="sources-heading">Which files?</h2>
        <dl class="panel sources">
          {SOURCES.map(([name, kind, from]) => (
            <div key={name}>
              <dt>
                {name} <span class="muted small">{kind}</span>
              </dt>
              <dd class="muted">{from}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}

/** A file that is dropped beside the target would open in place of the console. Returns whether one is held over the window. */
function useDropped(take: (files: readonly File[]) => void, refuse: (mistake: string) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef({ take, refuse })
  latest.current = { take, refuse }
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const on = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return
          event.preventDefault()
          listener(event)
        },
        { signal },
      )
    on('dragover', () => setOver(true))
    // Only one that leaves the window goes to nothing.
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false))
    on('drop', ({ dataTransfer }) => {
      setOver(false)
      const isFolder = [...(dataTransfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory)
      if (isFolder)
        latest.current.refuse('This is a folder. Choose a file in it, or the .zip that it came in.')
      else latest.current.take([...(dataTransfer?.files ?? [])])
    })
    return () => leaving.abort()
  }, [])
  return isOver
}
