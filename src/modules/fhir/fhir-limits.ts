// What a body of FHIR may hold: more than one of readings, because an Observation takes more bytes, keys and values than the
// reading that it is. Whatever readings/add takes can be sent as the Observation that Rounds writes of it, and a thousand of
// those of the catalogue's types in one Bundle. The reading itself is held to the limits of a reading.
import type { JsonLimits } from '../../http/json/strict-json.ts'
import { Refusal } from '../../refusal.ts'

/** One byte, that of the control character DEL, becomes seven in the JSON of an extension. */
const OBSERVATION_KIB = 512

export const FHIR_LIMITS: JsonLimits = {
  valueBytes: OBSERVATION_KIB * 1_024,
  fields: 2_000,
  values: 100_000,
  tooLarge: () =>
    new Refusal('BodyTooLarge', `An Observation may take ${OBSERVATION_KIB} KiB, also in a Bundle.`),
}
