import { counted, formFor } from '../language.ts'

/** Where there is no session. */
export const start = {
  signedOut: 'You have signed out',
  nobodySees: 'Nobody can see readings here now. Close the tab, or sign in again.',
  issuerNotReached:
    'The place where you sign in was not reached, and may let the next person in as you. On a device that others use, close the browser.',
  unsent: (count: number) =>
    `${counted(count, {
      one: 'reading that was not sent yet stays',
      other: 'readings that were not sent yet stay',
    })} on this device, to be sent when you sign in here again. Another person who signs in here neither sees nor sends ${formFor(
      count,
      { one: 'it', other: 'them' },
    )}.`,
  signIn: 'Sign in',
  cannotStart: 'Rounds cannot start',
}
