// The screens and their addresses. A screen is loaded when it is first shown, the others once the browser is idle.
import type { ComponentType } from 'preact'
import type { ScreenProps } from '../screen.ts'
import type { IconName } from './icons.tsx'
import { EVERYONE, FOR_ALL, MY_PATIENTS } from './screen-names.ts'

export type ScreenEntry = {
  title: string
  /**
   * In the navigation: the name, and for the bar of narrow windows, where those that are most used stand, a shorter one. Without it,
   * the screen is reached from another.
   */
  navigation?: { name: string; short?: string; icon: IconName }
  /** To a doctor, the patient's name stands over tabs: what this one is called. */
  tab?: string
  /** The entry of the navigation, or the tab, that is marked, where it is another's. */
  within?: string
  /** Whether it shows a patient's readings. */
  ofPatient: boolean
  /** Whether a doctor may open it without a patient, for all. */
  mayBeForAll?: boolean
  /** Whether it needs a server with targets and reports. */
  ofCare?: boolean
  /** Whether it needs one that evaluates alert rules. */
  ofAlerts?: boolean
  load: () => Promise<ComponentType<ScreenProps>>
}

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
  [FOR_ALL]: {
    title: 'For all my patients',
    navigation: { name: 'For all patients', short: 'For all', icon: 'targets' },
    ofPatient: false,
    ofCare: true,
    load: async () => (await import('../screens/plan/plan.tsx')).PlanForAll,
  },
  overview: {
    title: 'Overview',
    tab: 'Overview',
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/overview/overview.tsx')).Overview,
  },
  today: {
    title: 'Today',
    navigation: { name: 'Today', short: 'Today', icon: 'today' },
    ofPatient: true,
    load: async () => (await import('../screens/today/today.tsx')).Today,
  },
  charts: {
    title: 'Charts',
    tab: 'Charts',
    navigation: { name: 'Charts', short: 'Charts', icon: 'charts' },
    ofPatient: true,
    load: async () => (await import('../screens/charts/charts.tsx')).Charts,
  },
  reports: {
    title: 'Reports',
    tab: 'Report',
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
  plan: {
    title: 'Targets and rules',
    tab: 'Plan',
    navigation: { name: 'Targets', icon: 'targets' },
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/plan/plan.tsx')).Plan,
  },
  'set-target': {
    title: 'Set a target',
    within: 'plan',
    ofPatient: true,
    mayBeForAll: true,
    ofCare: true,
    load: async () => (await import('../screens/plan/set-target.tsx')).SetTarget,
  },
  'set-rule': {
    title: 'Set a rule',
    within: 'plan',
    ofPatient: true,
    mayBeForAll: true,
    ofAlerts: true,
    load: async () => (await import('../screens/plan/set-rule.tsx')).SetRule,
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

/** The tabs of a patient's record. */
export const tabs = Object.entries(SCREENS).flatMap(([path, { tab }]) => (tab ? [{ path, tab }] : []))

/** Whether this server has what the screen needs. */
export const isServed = (path: string, { hasCare, hasAlerts }: { hasCare: boolean; hasAlerts: boolean }) =>
  (screenAt(path)?.ofCare !== true || hasCare) && (screenAt(path)?.ofAlerts !== true || hasAlerts)

/** So that a screen that was not opened yet opens without a network. One after the other, behind what the reader asks for. */
export async function preloadScreens(
  { doctorId }: { doctorId?: string | undefined },
  served: Parameters<typeof isServed>[1],
) {
  for (const [path, { load }] of Object.entries(SCREENS)) {
    const isOfDoctors = path === MY_PATIENTS || path === FOR_ALL || path === 'overview' || path === 'set-rule'
    if ((isOfDoctors && doctorId === undefined) || !isServed(path, served)) continue
    // One that cannot be loaded now is loaded, and its failure shown, when it is opened.
    await load().catch(() => undefined)
  }
}
