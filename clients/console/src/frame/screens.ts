// The screens and their addresses. A screen is loaded when it is first shown.
import type { ComponentType } from 'preact'
import type { ScreenProps } from '../screen.ts'
import type { IconName } from './icons.tsx'

export type ScreenEntry = {
  title: string
  /** In the navigation: the name, and a shorter one for narrow windows. Without it, the screen is reached from another. */
  navigation?: { name: string; short: string; icon: IconName }
  /** The entry of the navigation that is marked, where it is another's. */
  within?: string
  /** Whether it shows a patient's readings. */
  ofPatient: boolean
  load: () => Promise<ComponentType<ScreenProps>>
}

const SCREENS: Readonly<Record<string, ScreenEntry>> = {
  today: {
    title: 'Today',
    navigation: { name: 'Today', short: 'Today', icon: 'today' },
    ofPatient: true,
    load: async () => (await import('../screens/today/today.tsx')).Today,
  },
  charts: {
    title: 'Charts',
    navigation: { name: 'Charts', short: 'Charts', icon: 'charts' },
    ofPatient: true,
    load: async () => (await import('../screens/charts/charts.tsx')).Charts,
  },
  add: {
    title: 'Add a reading',
    navigation: { name: 'Add', short: 'Add', icon: 'add' },
    ofPatient: true,
    load: async () => (await import('../screens/add/add.tsx')).Add,
  },
  readings: {
    title: 'Readings',
    within: 'today',
    ofPatient: true,
    load: async () => (await import('../screens/readings/readings.tsx')).Readings,
  },
  access: {
    title: 'Who has read',
    navigation: { name: 'Who has read', short: 'Access', icon: 'access' },
    ofPatient: true,
    load: async () => (await import('../screens/access/access.tsx')).WhoHasRead,
  },
  'take-away': {
    title: 'Take it away',
    navigation: { name: 'Take it away', short: 'Files', icon: 'take-away' },
    ofPatient: true,
    load: async () => (await import('../screens/take-away/take-away.tsx')).TakeAway,
  },
  print: {
    title: 'For the doctor',
    within: 'take-away',
    ofPatient: true,
    load: async () => (await import('../screens/take-away/print.tsx')).Print,
  },
  doctors: {
    title: 'Doctors',
    navigation: { name: 'Doctors', short: 'Doctors', icon: 'doctors' },
    ofPatient: false,
    load: async () => (await import('../screens/doctors/doctors.tsx')).Doctors,
  },
}

export const screenAt = (path: string) => (Object.hasOwn(SCREENS, path) ? SCREENS[path] : undefined)

/** Those in the navigation, in its order. */
export const sections = Object.entries(SCREENS).flatMap(([path, { navigation }]) =>
  navigation ? [{ path, ...navigation }] : [],
)
