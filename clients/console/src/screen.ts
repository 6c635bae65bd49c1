// What every screen gets from the frame.
import type { RoundsClient } from '../../typescript/src/client.ts'
import type { Address } from './address.ts'

export type ScreenProps = {
  /** The client with the token of who is signed in. */
  rounds: RoundsClient
  patientUid: string
  /** The IANA zone in which dates are shown; the frame names it once. */
  zone: string
  address: Address
}
