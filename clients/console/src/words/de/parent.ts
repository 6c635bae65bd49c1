import type { parent as english } from '../en/parent.ts'
import { counted } from '../language.ts'

export const parent: typeof english = {
  doesNotWake: (bold) => [bold('Diese Seite weckt Sie nicht:'), ' Lassen Sie den Alarm des Sensors an.'],
  readAgain: (zone) => `Wird jede Minute neu gelesen. Zeiten in ${zone}.`,
  noTargets: 'Die Zielbereiche konnten nicht gelesen werden.',
  asOf: (at) => `Stand: ${at}`,
  noReadings: 'Noch keine Messwerte.',
  andMore: (count) => `und ${counted(count, { one: 'weitere Art', other: 'weitere Arten' })}`,
  old: 'alt',
  low: 'NIEDRIG',
  farLow: 'SEHR NIEDRIG',
  above: '▲ über dem Zielbereich',
  minutesAgo: (minutes) => (minutes === 0 ? 'gerade eben' : `vor ${minutes} min`),
  noValueFor: (minutes) => `Seit ${minutes} min kein Wert.`,
  noValueSince: (at) => `Kein Wert seit ${at}.`,
  wasLast: (at) => `Das war der letzte, um ${at}. Kein Pfeil: zu alt.`,
  below: (limit, author) => `Unter ${limit}, festgelegt von ${author ?? 'Ihnen'}`,
  trends: {
    risingFast: 'steigt schnell',
    rising: 'steigt',
    steady: 'gleichbleibend',
    falling: 'fällt',
    fallingFast: 'fällt schnell',
  },
  noteFor: (name) => `Eine Notiz für ${name} eintragen`,
  gaveJuice: 'Ich habe Saft gegeben',
  amWith: (name) => `Ich bin bei ${name}`,
  noted: ({ text, name, isWaiting }) =>
    isWaiting
      ? `Für ${name} auf diesem Gerät aufbewahrt und noch nicht gespeichert: ${text}.`
      : `Für ${name} gespeichert: ${text}. Vielleicht hat das noch niemand gesehen.`,
  undoNote: (text, name) => `Rückgängig für ${name}: ${text}`,
  lowNow: (count) =>
    `${counted(count, { one: 'Kind ist', other: 'Kinder sind' })} jetzt niedrig: zuerst zeigen`,
  askLimit: (name) => `Unter welchem Wert soll ${name} zuerst stehen?`,
  askHint: 'Niemand hat eine Grenze festgelegt. Ihre gilt, bis eine ärztliche festgelegt ist.',
  noNumber: 'Das ist keine Zahl.',
  save: 'Speichern',
  notNow: 'Nicht jetzt',
  notListed: (shown, count) =>
    `Das sind die ersten ${shown}. ${counted(count, { one: 'weitere Person wird', other: 'weitere Personen werden' })} hier nicht gezeigt.`,
  openAnother: 'Andere Person öffnen',
  choose: 'Wählen',
}
