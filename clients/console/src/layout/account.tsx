// Who is signed in, how the console looks, and the way out.
import { useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { useStored } from '../hooks/store.ts'
import { useOutbox } from '../outbox/outbox.ts'
import { mayChooseLanguage } from '../session/person.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Segments } from '../ui/fields.tsx'
import { chooseLanguage, LANGUAGE, languages } from '../words/language.ts'
import { words } from '../words/words.ts'
import { Icon } from './icons.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const themes = (): [Theme, string][] => [
  ['system', words.account.asSystem],
  ['light', words.account.light],
  ['dark', words.account.dark],
]

export function Account() {
  const { session } = useApp()
  const [isOpen, setOpen] = useState(false)
  const { name } = session.person
  return (
    <>
      <button type="button" class="account" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Icon name="person" />
        <span class="account-name" dir="auto">
          <span class="unseen">{words.account.signedInAs}</span>
          {name}
        </span>
      </button>
      {isOpen && <AccountDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function AccountDialog({ onClose }: { onClose: () => void }) {
  const { session, outbox, bringIn } = useApp()
  const [theme, setTheme] = useState(chosenTheme)
  const { waiting } = useOutbox(outbox)
  const brought = useStored(bringIn)
  const signOut = () => {
    outbox.stop()
    if (brought.state === 'bringing') brought.stop()
    void session.signOut(waiting.length)
  }
  const { name, patientUids, doctorId, isStaff } = session.person
  return (
    <Dialog title={words.account.signedIn} onClose={onClose}>
      <div class="stack">
        <p dir="auto">
          <strong>{name}</strong>
          <br />
          <span class="muted small" dir="auto">
            {[
              ...(isStaff ? [words.account.staff] : []),
              ...(doctorId === undefined ? [] : [words.account.doctor]),
              ...(isStaff || (doctorId !== undefined && patientUids.length === 0)
                ? []
                : [words.account.forPatients(patientUids)]),
            ].join('. ')}
          </span>
        </p>
        <Segments
          label={words.account.appearance}
          value={theme}
          set={(chosen) => {
            chooseTheme(chosen)
            setTheme(chosen)
          }}
          options={themes()}
        />
        {mayChooseLanguage(session.person) && (
          <Segments
            label={words.account.language}
            value={LANGUAGE}
            set={chooseLanguage}
            options={languages}
          />
        )}
        {waiting.length > 0 && <p class="notice">{words.account.readingsWait(waiting.length)}</p>}
        {brought.state === 'bringing' && (
          <p class="notice" dir="auto">
            {words.account.fileIsImported(brought.file.name)}
          </p>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.kit.close}
        </button>
        <button type="button" class="button primary" onClick={signOut}>
          {words.account.signOut}
        </button>
      </div>
    </Dialog>
  )
}
