import type { ComponentChildren } from 'preact'
import { counted } from '../language.ts'

const readings = (count: number) => counted(count, { one: 'reading', other: 'readings' })
const times = (count: number) => counted(count, { one: 'time', other: 'times' })

/** The charts of any range. */
export const charts = {
  label: 'Charts. Arrow keys move, plus and minus zoom, Shift with arrow keys goes from reading to reading.',
  newReading: (name: string, value: string) => `New reading. ${name}: ${value}`,
  noReadingsYet: 'There are no readings yet.',
  drag: 'Drag to move, pinch to zoom.',
  keys: (key: (name: string) => ComponentChildren): ComponentChildren => [
    key('Ctrl'),
    ' + wheel zooms, ',
    key('Shift'),
    ' + drag zooms to a part. Keys on the chart: ',
    key('←'),
    ' ',
    key('→'),
    ' move, ',
    key('+'),
    ' ',
    key('−'),
    ' zoom, ',
    key('Shift'),
    ' + ',
    key('←'),
    ' ',
    key('→'),
    ' step through readings.',
  ],
  hideTable: 'Hide the table',
  showTable: 'Show as table',
  // The caption.
  count: readings,
  ofField: (name: string) => ` ${name}: `,
  noValue: 'no value',
  all: (value: string) => `all ${value}`,
  trend: (trend: 'rising' | 'falling' | 'unclear', period: 'day' | 'week' | 'month') =>
    `${{ rising: 'rising', falling: 'falling', unclear: 'no clear trend' }[trend]} from ${period} to ${period}, `,
  extremes: (highest: ComponentChildren, lowest: ComponentChildren): ComponentChildren => [
    'highest ',
    highest,
    ', lowest ',
    lowest,
  ],
  inTarget: (part: number, all: number) => ` ${part} of ${all} in target.`,
  target: (range: string, set: string, isLater: boolean) =>
    ` Target ${range}, ${set}${isLater ? '; compared with all readings shown' : ''}.`,
  partOf: (part: number, all: number) => `${part} of ${all}`,
  // Values.
  mean: (value: string) => `mean ${value}`,
  storedAs: (value: string) => `stored as ${value}`,
  inRange: (range: string) => `in ${range}`,
  value: 'value',
  meanOf: 'mean',
  notAllLoaded: 'Not all of this range is loaded',
  byBucket: (bucket: 'hour' | 'day' | 'week' | 'month') => `Mean with minimum to maximum, by ${bucket}`,
  each: 'Each reading',
  eachConverted: (stored: readonly { count: number; unit: string }[], unit: string) =>
    `Each reading · ${stored.map((one) => `${readings(one.count)} stored in ${one.unit}`).join(', ')}, shown in ${unit}`,
  marked: (name: string, time: string, text: string) => `Marked: ${name}, ${time}: ${text}`,
  empty: (count: number, bucket: 'hour' | 'day' | 'week' | 'month') =>
    `${bucket}${count === 1 ? '' : 's'} without readings`,
  // A pane.
  loading: 'Loading…',
  unitOf: (name: string) => `Unit of ${name}`,
  field: 'Field',
  nothing: 'No readings in this range',
  nothingOf: (name: string) => `There are no readings of ${name} in this range.`,
  showNewest: 'Show the newest',
  add: 'Add a reading',
  report: 'Report',
  // The range.
  range: 'Range',
  ranges: 'Ranges',
  presets: {
    day: 'Last 24 hours',
    week: 'Last 7 days',
    '14-days': 'Last 14 days',
    month: 'Last 30 days',
    '90-days': 'Last 90 days',
    year: 'Last 12 months',
    'last-month': 'Last month',
  },
  short: { day: '24 h', week: '7 d', '14-days': '14 d', month: '30 d', '90-days': '90 d', year: '12 m' },
  moveAndZoom: 'Move and zoom',
  earlier: 'Earlier',
  later: 'Later',
  zoomOut: 'Zoom out',
  zoomIn: 'Zoom in',
  since: 'Since',
  untilNow: 'From this day until now',
  from: 'From',
  to: 'To (whole day)',
  wrongOrder: 'The first day must not be after the last.',
  showRange: 'Show this range',
  // Types.
  chooseTypes: 'Choose types',
  findType: 'Find a type',
  atMost: (count: number) => `At most ${count} types fit on one screen.`,
  withReadings: 'With readings',
  withoutReadings: 'Without readings',
  // The table.
  caption: (name: string, range: string) => `${name}, ${range}`,
  columns: {
    measured: 'Measured',
    time: 'Time',
    storedAs: 'Stored as',
    source: 'Source',
    readings: 'Readings',
    symptom: 'Symptom',
    severity: 'Severity',
    target: 'Target',
  },
  figures: { mean: 'Mean', min: 'Minimum', max: 'Maximum' },
  figureOf: (field: string, figure: 'mean' | 'min' | 'max') =>
    `${field}, ${{ mean: 'mean', min: 'minimum', max: 'maximum' }[figure]}`,
  asShown: 'as shown',
  pagesOf: (caption: string) => `Pages of ${caption}`,
  previous: 'Previous',
  next: 'Next',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  // Symptoms.
  severities: { mild: 'mild', moderate: 'moderate', severe: 'severe', other: 'other words' },
  tooMany: (count: number) =>
    `${readings(count)} of symptoms are too many to show one by one. Zoom in to see them.`,
  showFewer: 'Show fewer',
  showMore: (count: number) => `Show ${counted(count, { one: 'more symptom', other: 'more symptoms' })}`,
  noted: (symptom: string, count: number) => `${symptom}, noted ${times(count)}.`,
  mostOften: (symptoms: number, count: number, { first, often }: { first: string; often: number }) =>
    `${symptoms} symptoms, noted ${times(count)}, most often ${first}, ${times(often)}.`,
  more: (count: number) => `${count} more`,
}
