import type { ComponentChildren } from 'preact'

export const today = {
  howWorkedOut: 'How this is worked out',
  target: 'target',
  workedOut: (target: ComponentChildren): ComponentChildren[] => [
    'We count the newest reading of each type that has a ',
    target,
    '. Readings older than a week do not count. A sensor comes first, then what was measured last. Cards change places only when you come back to this screen.',
  ],
  thisWeek: (inTarget: number, count: number) => `This week ${inTarget} of ${count} in target.`,
  reportsOffline: 'You are offline, and reports are not on this device.',
  reportsComeBack: 'They come by themselves when the network is back.',
}
