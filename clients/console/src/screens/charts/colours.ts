// The colours of the design for a canvas, which cannot read custom properties, and when they change.
const NAMES = [
  'accent',
  'band',
  'line',
  'muted',
  'ink',
  'surface',
  'sunken',
  'low',
  'high',
  'severe',
  'ok',
  'in-target',
  'review',
] as const

/** Of lines that only guide the eye down to the time axis. */
const FAINT = 'color-mix(in srgb, var(--line) 55%, transparent)'

export type Colours = Readonly<Record<(typeof NAMES)[number] | 'faint', string>>

/** As they are now, in this element. */
export function coloursIn(element: HTMLElement): Colours {
  const probe = document.createElement('span')
  probe.hidden = true
  // Forced colours would make every one of them that of text.
  probe.style.forcedColorAdjust = 'none'
  element.append(probe)
  const computed = (colour: string) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const named = NAMES.map((name) => [name, computed(`var(--${name})`)])
  const colours = { ...Object.fromEntries(named), faint: computed(FAINT) } as Colours
  probe.remove()
  return colours
}

/** Calls when light becomes dark, or dark light, or colours are forced: by the system or by the theme chosen. Returns how to stop. */
export function onColoursChange(changed: () => void): () => void {
  const system = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of system) query.addEventListener('change', changed)
  const chosen = new MutationObserver(changed)
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  return () => {
    for (const query of system) query.removeEventListener('change', changed)
    chosen.disconnect()
  }
}
