// Who is signed in, how the console looks, and the way out.
import { useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { countText } from '../format/numbers.ts'
import { useStored } from '../hooks/store.ts'
import { useOutbox } from '../outbox/outbox.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from './icons.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const THEMES: [Theme, string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
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
          <span class="unseen">Signed in as </span>
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
    <Dialog title="Signed in" onClose={onClose}>
      <div class="stack">
        <p dir="auto">
          <strong>{name}</strong>
          <br />
          <span class="muted small" dir="auto">
            {[
              ...(isStaff ? ['Staff: may read every patient'] : []),
              ...(doctorId === undefined ? [] : ['Doctor: sees patients who share readings']),
              ...(isStaff || (doctorId !== undefined && patientUids.length === 0)
                ? []
                : [`For ${patientUids.join(', ') || 'no patient'}`]),
            ].join('. ')}
          </span>
        </p>
        <div class="field">
          <span class="label">Appearance</span>
          <div class="seg" role="group" aria-label="Appearance">
            {THEMES.map(([value, label]) => (
              <button
                key={value}
                type="button"
                aria-pressed={theme === value}
                onClick={() => {
                  chooseTheme(value)
                  setTheme(value)
                }}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
        {waiting.length > 0 && (
          <p class="notice">
            {countText(waiting.length, 'reading waits', 'readings wait')} on this device. If you sign out now,{' '}
            {waiting.length === 1 ? 'it stays' : 'they stay'} here and will be sent when you sign in here
            again.
          </p>
        )}
        {brought.state === 'bringing' && (
          <p class="notice" dir="auto">
            {brought.file.name} is being brought in. If you sign out now, it stops; what was stored stays.
          </p>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="button primary" onClick={signOut}>
          Sign out
        </button>
      </div>
    </Dialog>
  )
}
