// The screens and their addresses. A screen is loaded when it is first shown, the others once the browser is idle.
import type { ComponentType } from 'preact'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words/words.ts'
import type { IconName } from './icons.tsx'
import { EVERYONE, FOR_ALL, MY_PATIENTS } from './screen-names.ts'

export type ScreenEntry = {
  /** In the navigation, and whether in the bar of narrow windows too, where those that are most used stand. Without it, the screen is reached from another. */
  navigation?: { icon: IconName; isInBar?: boolean }
  /** To a doctor, the patient's name stands over tabs, and this is one of them. */
  isTab?: boolean
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
    navigation: { icon: 'everyone', isInBar: true },
    ofPatient: false,
    load: async () => (await import('../screens/everyone/everyone.tsx')).Everyone,
  },
  [MY_PATIENTS]: {
    navigation: { icon: 'everyone', isInBar: true },
    ofPatient: false,
    load: async () => (await import('../screens/my-patients/my-patients.tsx')).MyPatients,
  },
  [FOR_ALL]: {
    navigation: { icon: 'targets', isInBar: true },
    ofPatient: false,
    ofCare: true,
    load: async () => (await import('../screens/plan/plan.tsx')).PlanForAll,
  },
  overview: {
    isTab: true,
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/overview/overview.tsx')).Overview,
  },
  today: {
    navigation: { icon: 'today', isInBar: true },
    ofPatient: true,
    load: async () => (await import('../screens/today/today.tsx')).Today,
  },
  charts: {
    isTab: true,
    navigation: { icon: 'charts', isInBar: true },
    ofPatient: true,
    load: async () => (await import('../screens/charts/charts.tsx')).Charts,
  },
  reports: {
    isTab: true,
    navigation: { icon: 'reports', isInBar: true },
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/reports/reports.tsx')).Reports,
  },
  add: {
    navigation: { icon: 'add', isInBar: true },
    ofPatient: true,
    load: async () => (await import('../screens/add/add.tsx')).Add,
  },
  'bring-in': {
    navigation: { icon: 'bring-in' },
    ofPatient: true,
    load: async () => (await import('../screens/bring-in/bring-in.tsx')).BringIn,
  },
  access: {
    navigation: { icon: 'access' },
    ofPatient: true,
    load: async () => (await import('../screens/access/access.tsx')).WhoHasRead,
  },
  sharing: {
    navigation: { icon: 'sharing' },
    ofPatient: true,
    load: async () => (await import('../screens/sharing/sharing.tsx')).Sharing,
  },
  plan: {
    isTab: true,
    navigation: { icon: 'targets' },
    ofPatient: true,
    ofCare: true,
    load: async () => (await import('../screens/plan/plan.tsx')).Plan,
  },
  'set-target': {
    within: 'plan',
    ofPatient: true,
    mayBeForAll: true,
    ofCare: true,
    load: async () => (await import('../screens/plan/set-target.tsx')).SetTarget,
  },
  'set-rule': {
    within: 'plan',
    ofPatient: true,
    mayBeForAll: true,
    ofAlerts: true,
    load: async () => (await import('../screens/plan/set-rule.tsx')).SetRule,
  },
  share: {
    within: 'sharing',
    ofPatient: true,
    load: async () => (await import('../screens/sharing/share.tsx')).Share,
  },
  'take-away': {
    navigation: { icon: 'take-away' },
    ofPatient: true,
    load: async () => (await import('../screens/export/export.tsx')).Export,
  },
  doctors: {
    navigation: { icon: 'doctors' },
    ofPatient: false,
    load: async () => (await import('../screens/doctors/doctors.tsx')).Doctors,
  },
}

export const screenAt = (path: string) => (Object.hasOwn(SCREENS, path) ? SCREENS[path] : undefined)

const wordsOf = (path: string) => {
  const texts: Readonly<Record<string, { title: string; name?: string; short?: string; tab?: string }>> =
    words.frame.screens
  return texts[path] ?? { title: path }
}

export const titleOf = (path: string) => wordsOf(path).title

/** Those in the navigation, in its order, with their names. */
export const sections = () =>
  Object.entries(SCREENS).flatMap(([path, { navigation }]) => {
    const { title, name = title, short = name } = wordsOf(path)
    return navigation
      ? [{ path, icon: navigation.icon, name, short: navigation.isInBar ? short : undefined }]
      : []
  })

/** The tabs of a patient's record. */
export const tabs = () =>
  Object.entries(SCREENS).flatMap(([path, { isTab }]) => {
    const { title, tab = title } = wordsOf(path)
    return isTab ? [{ path, tab }] : []
  })

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
