// Faults in the console. Each is followed by a new build of it where its test looks at a browser.
import type { Mutant } from './mutant.ts'

export const CONSOLE: Mutant[] = [
  {
    name: 'console-comma-of-decimals',
    promise: 'A number is read as it was typed: 36,6 is 36.6.',
    file: 'clients/console/src/screens/add/read-form.ts',
    from: ".replace(',', '.')",
    to: ".replace(',', '')",
    noticedBy: 'clients/console/test/forms.test.ts',
  },
  {
    name: 'console-unit-nobody-chose',
    promise: 'A number of a type with several units is never sent without the unit that its person chose.',
    file: 'clients/console/src/screens/add/read-form.ts',
    from: "if (form.units.length > 1 && typed.unit === '') mistakes['unit'] = 'Choose the unit.'",
    to: "if (form.units.length > 2 && typed.unit === '') mistakes['unit'] = 'Choose the unit.'",
    noticedBy: 'clients/console/test/forms.test.ts',
  },
  {
    name: 'console-judges-what-is-not-displayed',
    promise:
      'A value is in target as the service counts it: rounded to what is displayed once it was converted.',
    file: 'clients/console/src/care/in-target.ts',
    from: 'return from === to ? value : asDisplayed(converted(value, from, to), to)',
    to: 'return from === to ? value : converted(value, from, to)',
    noticedBy: 'clients/console/test/in-target.test.ts',
  },
  {
    name: 'console-unit-of-the-catalogue',
    promise: 'A number stands beside the unit that was sent with it.',
    file: 'clients/console/src/format/reading-text.ts',
    from: "return typeof unit === 'string' ? unit : JSON.stringify(unit)",
    to: "return typeof unit === 'string' ? (units[0] ?? unit) : JSON.stringify(unit)",
    noticedBy: 'clients/console/test/reading-text.test.ts',
  },
  {
    name: 'console-share-ends-a-day-later',
    promise: 'A grant that ends at midnight ends with the day before.',
    file: 'clients/console/src/screens/sharing/grant-text.ts',
    from: 'dateText(end - 1, zone)',
    to: 'dateText(end, zone)',
    noticedBy: 'clients/console/test/grant-text.test.ts',
  },
  {
    name: 'console-reasons-told-together',
    promise: 'A patient sees each reason for which staff has read.',
    file: 'clients/console/src/screens/access/sentences.ts',
    from: `  one.doctorId === other.doctorId &&
  one.reason === other.reason`,
    to: '  one.doctorId === other.doctorId',
    noticedBy: 'clients/console/test/access-sentences.test.ts',
  },
  {
    name: 'console-second-midnight',
    promise: 'A day whose midnight comes twice begins at the first of them.',
    file: 'clients/console/src/format/zone-calendar.ts',
    from: 'const [first] = instantsOf(midnight, zone)',
    to: 'const first = instantsOf(midnight, zone).at(-1)',
    noticedBy: 'clients/console/test/charts-time.test.ts',
  },
  {
    name: 'console-undoes-what-others-recorded',
    promise: 'Undo withdraws only what was stored by being sent from here.',
    file: 'clients/console/src/outbox/undo.ts',
    from: "return verdict.verdict === 'stored' ? { readingId: verdict.readingId } : { state: 'before' }",
    to: 'return { readingId: verdict.readingId }',
    noticedBy: 'clients/console/test/undo.test.ts',
  },
  {
    name: 'console-refused-readings-of-another',
    promise: 'Another person who signs in on the same device does not see what waits or was refused.',
    file: 'clients/console/src/outbox/outbox.ts',
    from: 'indexedDbStorage({ name: `rounds console refused ${subject}` })',
    to: "indexedDbStorage({ name: 'rounds console refused' })",
    noticedBy: 'clients/console/test/refused.test.ts',
  },
]
