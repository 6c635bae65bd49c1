// The zone in which all times are shown, named once; it is in the address, so a link shows the times that its sender saw.
import { useId, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { browserZone, isZone } from '../format/times.ts'
import { Dialog } from '../ui/dialog.tsx'
import { words } from '../words/words.ts'

/** `remembered`: the one that the reader has chosen before. */
export function zoneFor(address: Address, remembered: string | undefined): string {
  const asked = address.query.get('zone') ?? remembered ?? null
  return asked !== null && isZone(asked) ? asked : browserZone()
}

type Props = { zone: string; patientZone: string | undefined; address: Address }

export function ZoneSwitch({ zone, patientZone, address }: Props) {
  const { choices } = useApp()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const own = browserZone()
  const choose = (chosen: string) => {
    const other = chosen === own ? undefined : chosen
    choices.set({ zone: other })
    address.go({ query: { zone: other } })
    setOpen(false)
  }
  return (
    <span class="zone">
      <button type="button" class="link small" onClick={() => setOpen(true)}>
        {words.frame.timesIn(zone)}
      </button>
      {isOpen && (
        <Dialog title={words.frame.whichZone} onClose={() => setOpen(false)}>
          <div class="stack">
            <button type="button" class="button" aria-pressed={zone === own} onClick={() => choose(own)}>
              {words.frame.browsersZone(own)}
            </button>
            {patientZone !== undefined && isZone(patientZone) && patientZone !== own && (
              <button
                type="button"
                class="button"
                aria-pressed={zone === patientZone}
                onClick={() => choose(patientZone)}
              >
                {words.frame.ownZone(patientZone)}
              </button>
            )}
            <div class="field">
              <label for={id}>{words.frame.patientsZone}</label>
              <select
                id={id}
                class="input"
                value={zone}
                onChange={({ currentTarget }) => choose(currentTarget.value)}
              >
                {[...new Set([own, zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <div class="actions">
            <button type="button" class="button" onClick={() => setOpen(false)}>
              {words.kit.close}
            </button>
          </div>
        </Dialog>
      )}
    </span>
  )
}
