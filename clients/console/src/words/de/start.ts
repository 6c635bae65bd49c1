import type { start as english } from '../en/start.ts'
import { counted, formFor } from '../language.ts'

export const start: typeof english = {
  signedOut: 'Sie sind abgemeldet',
  nobodySees:
    'Hier kann jetzt niemand Messwerte sehen. Schließen Sie den Tab oder melden Sie sich wieder an.',
  issuerNotReached:
    'Die Anmeldestelle war nicht erreichbar und lässt die nächste Person vielleicht unter Ihrem Namen herein. Schließen Sie den Browser, wenn andere dieses Gerät benutzen.',
  unsent: (count) =>
    `${counted(count, {
      one: 'Messwert, der noch nicht gesendet wurde, bleibt',
      other: 'Messwerte, die noch nicht gesendet wurden, bleiben',
    })} auf diesem Gerät und ${formFor(count, { one: 'wird', other: 'werden' })} gesendet, sobald Sie sich hier wieder anmelden. Wer sich sonst hier anmeldet, sieht und sendet ${formFor(
      count,
      { one: 'ihn', other: 'sie' },
    )} nicht.`,
  signIn: 'Anmelden',
  cannotStart: 'Rounds kann nicht starten',
}
