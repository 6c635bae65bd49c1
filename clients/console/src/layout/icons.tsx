// The few drawings of the console.
const PATHS = {
  everyone:
    'M8.5 5a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4ZM2.5 19c.6-3 2.9-4.6 6-4.6s5.4 1.6 6 4.6M15.5 5.4a3.2 3.2 0 0 1 0 5.7M17.5 14.8c2.2.5 3.6 1.9 4 4.2',
  alerts:
    'M12 4a5.5 5.5 0 0 0-5.5 5.5c0 4.6-2 6.5-2 6.5h15s-2-1.9-2-6.5A5.5 5.5 0 0 0 12 4ZM9.8 19.2a2.4 2.4 0 0 0 4.4 0',
  today: 'M4 13h4l2-6 4 12 2-6h4',
  charts: 'M4 4v16h16M8 15l4-5 3 3 5-7',
  reports: 'M6 3.5h8.5L18 7v13.5H6ZM9 11h6M9 14h6M9 17h3.5',
  add: 'M12 5v14M5 12h14',
  access:
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  sharing:
    'M9.5 5a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4ZM3.5 19c.6-3 2.9-4.6 6-4.6s5.4 1.6 6 4.6M18.5 8v6M15.5 11h6',
  targets: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 11.9v.2',
  rules: 'M6 16.5c1.3-1.2 1.6-2.6 1.6-5.6a4.4 4.4 0 0 1 8.8 0c0 3 .3 4.4 1.6 5.6ZM10 19.5c.9 1.1 3.1 1.1 4 0',
  'bring-in': 'M12 15.5v-11m-4.5 4L12 4l4.5 4.5M5 20h14',
  'take-away': 'M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14',
  doctors: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20',
  more: 'M4 7h16M4 12h16M4 17h16',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20c.8-3.7 3.7-5.5 7.5-5.5s6.7 1.8 7.5 5.5',
}

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
