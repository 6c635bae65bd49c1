// Ids of doctors as ids of FHIR. An id that FHIR allows stays as it is; any other is written in base64 behind two dots, if it
// is not too long for that.
const PLAIN = /^(?!\.\.)[A-Za-z0-9.-]{1,64}$/
const CODED = '..'
const MAX_BYTES = 46

export function practitionerIdOf(doctorId: string): string | undefined {
  if (PLAIN.test(doctorId)) return doctorId
  const bytes = Buffer.from(doctorId)
  if (bytes.length > MAX_BYTES) return undefined
  return `${CODED}${bytes.toString('base64url').replaceAll('_', '.')}`
}

/** The doctor whose id this is; undefined where it is none that was written here. */
export function doctorIdFrom(practitionerId: string): string | undefined {
  if (PLAIN.test(practitionerId)) return practitionerId
  if (!practitionerId.startsWith(CODED)) return undefined
  const doctorId = Buffer.from(practitionerId.slice(2).replaceAll('.', '_'), 'base64url').toString()
  return practitionerIdOf(doctorId) === practitionerId && !/\p{Cc}/u.test(doctorId) ? doctorId : undefined
}
