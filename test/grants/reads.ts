// Every way to read a patient's readings, and what each shows under a grant. Readings carry a note that names their type, so that
// a type is found in an answer of any format without knowing the format.

export type SharedPatient = {
  patientUid: string
  token: string
  /** The types of the stored readings, in the order of their times. */
  types: string[]
  /** The cursor behind the second reading. */
  secondPage: string
  /** The ids of the readings as Observations, in the same order. */
  observations: string[]
}

/** A way to read: `nth` is the reading or type that it is about, where it is about one. */
export type ReadKind = {
  name: string
  path: (patient: SharedPatient, nth: number) => string
  headers?: Record<string, string>
  /** The types that an answer must show under a grant of all types of `granted`; undefined where it is 404 instead. */
  shown: (patient: SharedPatient, nth: number, granted: (type: string) => boolean) => string[] | undefined
  isStream?: boolean
}

export const NOTE = (type: string) => `noted-${type}-`

/** The types whose notes are in a text. */
export function typesNoted(text: string): string[] {
  return unique([...text.matchAll(/noted-([\w.]+)-/g)].map(([, type = '']) => type))
}

export const unique = (types: string[]) => [...new Set(types)].toSorted()

const RANGE = 'from=1700000000&to=1700086400'
const about = (patient: SharedPatient, nth: number) => patient.types[nth % patient.types.length] ?? ''
const all: ReadKind['shown'] = ({ types }, _nth, granted) => unique(types.filter(granted))
const one: ReadKind['shown'] = (patient, nth, granted) => [about(patient, nth)].filter(granted)
const none: ReadKind['shown'] = () => []
const get = (more: string) => (patient: SharedPatient) =>
  `/casesheet/readings/get?patientUid=${patient.patientUid}${more}`

export const READS: ReadKind[] = [
  { name: 'get', path: get(''), shown: all },
  { name: 'get as CSV', path: get(''), headers: { accept: 'text/csv' }, shown: all },
  { name: 'get as NDJSON', path: get(''), headers: { accept: 'application/x-ndjson' }, shown: all },
  { name: 'get backwards', path: get('&order=desc&withdrawn=include'), shown: all },
  { name: 'get of a type', path: (of, nth) => get(`&readingType=${about(of, nth)}`)(of), shown: one },
  {
    name: 'a page of two',
    path: get('&limit=2'),
    shown: ({ types }, _nth, granted) => unique(types.filter(granted).slice(0, 2)),
  },
  {
    name: 'the page behind a cursor',
    path: (of) => get(`&limit=2&cursor=${of.secondPage}`)(of),
    shown: ({ types }, _nth, granted) => unique(types.slice(2).filter(granted).slice(0, 2)),
  },
  {
    name: 'latest',
    path: ({ patientUid }) => `/casesheet/readings/latest?patientUid=${patientUid}`,
    shown: all,
  },
  {
    name: 'latest of a type',
    path: (of, nth) => `/casesheet/readings/latest?patientUid=${of.patientUid}&readingType=${about(of, nth)}`,
    shown: one,
  },
  {
    name: 'statistics',
    path: (of, nth) =>
      `/casesheet/readings/statistics?patientUid=${of.patientUid}&readingType=${about(of, nth)}&${RANGE}`,
    shown: one,
  },
  {
    name: 'access log',
    path: ({ patientUid }) => `/casesheet/readings/access-log?patientUid=${patientUid}&limit=5`,
    shown: none,
  },
  {
    name: 'stream',
    path: ({ patientUid }) => `/casesheet/readings/stream?patientUid=${patientUid}`,
    shown: none,
    isStream: true,
  },
  { name: 'FHIR search', path: ({ patientUid }) => `/fhir/Observation?patient=${patientUid}`, shown: all },
  { name: 'FHIR Patient', path: ({ patientUid }) => `/fhir/Patient/${patientUid}`, shown: none },
  {
    name: 'FHIR search below a Patient',
    path: ({ patientUid }) => `/fhir/Patient/${patientUid}/Observation`,
    shown: all,
  },
  {
    name: 'FHIR lastn',
    path: ({ patientUid }) => `/fhir/Observation/$lastn?patient=${patientUid}`,
    shown: all,
  },
  {
    name: 'FHIR lastn of a type',
    path: (of, nth) => `/fhir/Observation/$lastn?patient=${of.patientUid}&max=3&code=${about(of, nth)}`,
    shown: one,
  },
  {
    name: 'FHIR search of a type',
    path: (of, nth) =>
      `/fhir/Observation?patient=${of.patientUid}&code=${encodeURIComponent(`urn:rounds:reading-type|${about(of, nth)}`)}`,
    shown: one,
  },
  {
    name: 'FHIR read',
    path: ({ observations }, nth) => `/fhir/Observation/${observations[nth % observations.length]}`,
    shown: (of, nth, granted) => (granted(about(of, nth)) ? [about(of, nth)] : undefined),
  },
]

/** The types that an answer shows: by their notes, or by the buckets of the type that was asked for. */
export function typesShown({ name }: ReadKind, text: string, asked: string): string[] {
  if (name !== 'statistics') return typesNoted(text)
  const { data } = JSON.parse(text) as { data: { count: number }[] }
  return data.some(({ count }) => count > 0) ? [asked] : []
}
