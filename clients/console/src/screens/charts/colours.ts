// The colours of the design for a canvas, which cannot read custom properties, and when they change.
const NAMES = [
  'accent',
  'band',
  'usual',
  'usual-edge',
  'line',
  'muted',
  'ink',
  'surface',
  'sunken',
  'low',
  'high',
  'severe',
] as const

export type Colours = Readonly<Record<(typeof NAMES)[number], string>>

/** As they are now, in this element. */
export function coloursIn(element: HTMLElement): Colours {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as Colours
}

/** Calls when light becomes dark, or dark light: by the system or by the theme chosen. Returns how to stop. */
export function onColoursChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', changed)
  const chosen = new MutationObserver(changed)
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  return () => {
    system.removeEventListener('change', changed)
    chosen.disconnect()
  }
}
