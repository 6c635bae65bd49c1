// The screens and their addresses. A screen is loaded when it is first shown, the others once the browser is idle.
import type { ComponentType } from 'preact'
import type { ScreenProps } from '../screen.ts'
import type { IconName } from './icons.tsx'

export type ScreenEntry = {
  title: string
  /**
   * In the navigation: the name, and for the bar of narrow windows, where those that are most used stand, a shorter one. Without it,
   * the screen is reached from another.
   */
  navigation?: { name: string; short?: string; icon: IconName }
  /** The entry of the navigation that is marked, where it is another's. */
  within?: string
  /** Whether it shows a patient's readings. */
  ofPatient: boolean
  /** Whether it needs a server with targets and reports. */
  ofCare?: boolean
  /** Whether it needs one that evaluates alert rules. */
  ofAlerts?: boolean
  load: () => Promise<ComponentType<ScreenProps>>
}

/** All patients of one person; where the token names one alone, there is no such screen. */
export const EVERYONE = 'everyone'

/** The patients who share with a doctor; for others there is no such screen. */
export const MY_PATIENTS = 'my-patients'

/** The alerts of the patients who share with a doctor. */
export const ALERTS = 'alerts'

const SCREENS: Readonly<Record<string, ScreenEntry>> = {
  [EVERYONE]: {
    title: 'Everyone',
    navigation: { name: 'Everyone', short: 'All', icon: 'everyone' },
    ofPatient: false,
    load: async () => (await import('../screens/everyone/everyone.tsx')).Everyone,
  },
  [MY_PATIENTS]: {
    title: 'My patients',
    navigation: { name: 'My patients', short: 'Patients', icon: 'everyone' },
    ofPatient: false,
    load: async () => (await import('../screens/my-patients/my-patients.tsx')).MyPatients,
  },
  [ALERTS]: {
    title: 'Alerts',
    navigation: { name: 'Alerts', short: 'Alerts', icon: 'alerts' },
    ofPatient: false,
    ofAlerts: true,
    load: async () => (await import('../screens/alerts/alerts.tsx')).Alerts,
  },
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
  reports: {
    title: 'Reports',
    navigation: { name: 'Reports', short: 'Reports', icon: 'reports' },
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/reports/reports.tsx')).Reports,
  },
  add: {
    title: 'Add a reading',
    navigation: { name: 'Add', short: 'Add', icon: 'add' },
    ofPatient: true,
    load: async () => (await import('../screens/add/add.tsx')).Add,
  },
  'bring-in': {
    title: 'Bring in a file',
    navigation: { name: 'Bring in', icon: 'bring-in' },
    ofPatient: true,
    load: async () => (await import('../screens/bring-in/bring-in.tsx')).BringIn,
  },
  access: {
    title: 'Who has read',
    navigation: { name: 'Who has read', icon: 'access' },
    ofPatient: true,
    load: async () => (await import('../screens/access/access.tsx')).WhoHasRead,
  },
  sharing: {
    title: 'Shared with',
    navigation: { name: 'Shared with', icon: 'sharing' },
    ofPatient: true,
    load: async () => (await import('../screens/sharing/sharing.tsx')).Sharing,
  },
  targets: {
    title: 'Targets',
    navigation: { name: 'Targets', icon: 'targets' },
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/targets/targets.tsx')).Targets,
  },
  'set-target': {
    title: 'Set a target',
    within: 'targets',
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/targets/set-target.tsx')).SetTarget,
  },
  rules: {
    title: 'Alert rules',
    navigation: { name: 'Alert rules', icon: 'rules' },
    ofPatient: true,
    ofAlerts: true,
    load: async () => (await import('../screens/rules/rules.tsx')).Rules,
  },
  'set-rule': {
    title: 'Set an alert rule',
    within: 'rules',
    ofPatient: true,
    ofAlerts: true,
    load: async () => (await import('../screens/rules/set-rule.tsx')).SetRule,
  },
  'change-rule': {
    title: 'Change an alert rule',
    within: 'rules',
    ofPatient: true,
    ofAlerts: true,
    load: async () => (await import('../screens/rules/set-rule.tsx')).SetRule,
  },
  share: {
    title: 'Share with a doctor',
    within: 'sharing',
    ofPatient: true,
    load: async () => (await import('../screens/sharing/share.tsx')).Share,
  },
  'take-away': {
    title: 'Take it away',
    navigation: { name: 'Take it away', icon: 'take-away' },
    ofPatient: true,
    load: async () => (await import('../screens/export/export.tsx')).Export,
  },
  doctors: {
    title: 'Doctors',
    navigation: { name: 'Doctors', icon: 'doctors' },
    ofPatient: false,
    load: async () => (await import('../screens/doctors/doctors.tsx')).Doctors,
  },
}

export const screenAt = (path: string) => (Object.hasOwn(SCREENS, path) ? SCREENS[path] : undefined)

/** Those in the navigation, in its order. */
export const sections = Object.entries(SCREENS).flatMap(([path, { navigation }]) =>
  navigation ? [{ path, isInBar: navigation.short !== undefined, ...navigation }] : [],
)

/** So that a screen that was not opened yet opens without a network. One after the other, behind what the reader asks for. */
export async function preloadScreens(
  { doctorId }: { doctorId?: string | undefined },
  { hasAlerts }: { hasAlerts: boolean },
) {
  for (const [path, { load, ofAlerts }] of Object.entries(SCREENS)) {
    if (path === MY_PATIENTS && doctorId === undefined) continue
    // Patients read their rules; doctors set them.
    if (ofAlerts && (!hasAlerts || (doctorId === undefined && path !== 'rules'))) continue
    // One that cannot be loaded now is loaded, and its failure shown, when it is opened.
    await load().catch(() => undefined)
  }
}
