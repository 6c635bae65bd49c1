import type { ComponentChildren } from 'preact'
import { counted, formFor } from '../language.ts'

export const parent = {
  doesNotWake: (bold: (text: string) => ComponentChildren): ComponentChildren[] => [
    bold('This page does not wake you:'),
    ' keep the sensor’s alarm on.',
  ],
  readAgain: (zone: string) => `Read again every minute. Times in ${zone}.`,
  noTargets: 'The targets could not be read.',
  asOf: (at: string) => `As of ${at}`,
  noReadings: 'No readings yet.',
  andMore: (count: number) => `and ${counted(count, { one: 'more kind', other: 'more kinds' })}`,
  old: 'old',
  low: 'LOW',
  farLow: 'FAR LOW',
  above: '▲ above target',
  minutesAgo: (minutes: number) => (minutes === 0 ? 'just now' : `${minutes} min ago`),
  noValueFor: (minutes: number) => `No value for ${minutes} min.`,
  noValueSince: (at: string) => `No value since ${at}.`,
  wasLast: (at: string) => `This was the last, at ${at}. No arrow: too old.`,
  /** Without an author the reader is it. */
  below: (limit: string, author: string | undefined) => `Below ${limit}, set by ${author ?? 'you'}`,
  trends: {
    risingFast: 'rising fast',
    rising: 'rising',
    steady: 'steady',
    falling: 'falling',
    fallingFast: 'falling fast',
  },
  noteFor: (name: string) => `Add a note for ${name}`,
  gaveJuice: 'I gave juice',
  amWith: (name: string) => `I am with ${name}`,
  noted: ({ text, name, isWaiting }: { text: string; name: string; isWaiting: boolean }) =>
    isWaiting
      ? `Kept on this device for ${name}, and not stored yet: ${text}.`
      : `Stored for ${name}: ${text}. Nobody may have seen it yet.`,
  undoNote: (text: string, name: string) => `Undo for ${name}: ${text}`,
  lowNow: (count: number) =>
    `${counted(count, { one: 'child is', other: 'children are' })} low now: show first`,
  askLimit: (name: string) => `Below which value shall ${name} stand first?`,
  askHint: 'Nobody has set a limit. What you set is yours; a doctor’s goes before it.',
  noNumber: 'This is not a number.',
  save: 'Save',
  notNow: 'Not now',
  notListed: (shown: number, count: number) =>
    `These are the first ${shown}. ${counted(count, { one: 'more patient', other: 'more patients' })} ${formFor(count, { one: 'is', other: 'are' })} not shown here.`,
  openAnother: 'Open another patient',
  choose: 'Choose',
}
