// A doctor of the directory as a Practitioner and as a PractitionerRole: who it is, and what the doctor works as. Both have
// the same id.
import { GENDER, LANGUAGE, REGISTRATION, SPECIALITY } from '../systems.ts'

export type Doctor = {
  doctorId: string
  name: string
  gender: string | null
  specialities: { specialityId: string; title: string }[]
  qualifications: string[]
  registrationNumber: string | null
  languages: string[]
  city: string | null
  photoUrl: string | null
  isActive: boolean
}

const GENDERS = new Set(['male', 'female', 'other', 'unknown'])

export function doctorToPractitioner(doctor: Doctor, id: string) {
  const { name, gender, qualifications, registrationNumber, languages, photoUrl, isActive } = doctor
  return {
    resourceType: 'Practitioner' as const,
    id,
    ...(registrationNumber === null
      ? {}
      : { identifier: [{ system: REGISTRATION, value: plainSpaces(registrationNumber) }] }),
    active: isActive,
    name: [{ text: plainSpaces(name) }],
    ...(gender === null ? {} : genderOf(gender)),
    ...(photoUrl === null ? {} : { photo: [{ url: photoUrl }] }),
    ...unlessEmpty(
      'qualification',
      qualifications.map((text) => ({ code: { text: plainSpaces(text) } })),
    ),
    ...unlessEmpty(
      'communication',
      languages.map((code) => ({ coding: [{ system: LANGUAGE, code }] })),
    ),
  }
}

export function doctorToRole({ name, specialities, city, isActive }: Doctor, id: string) {
  return {
    resourceType: 'PractitionerRole' as const,
    id,
    active: isActive,
    practitioner: { reference: `Practitioner/${id}`, display: plainSpaces(name) },
    ...unlessEmpty(
      'specialty',
      specialities.map(({ specialityId, title }) => ({
        coding: [{ system: SPECIALITY, code: specialityId, display: plainSpaces(title) }],
        text: plainSpaces(title),
      })),
    ),
    ...(city === null ? {} : { location: [{ display: plainSpaces(city) }] }),
  }
}

function genderOf(text: string) {
  const gender = text.toLowerCase()
  if (GENDERS.has(gender)) return { gender }
  return { gender: 'other', _gender: { extension: [{ url: GENDER, valueString: plainSpaces(text) }] } }
}

/** FHIR has no empty lists. */
function unlessEmpty<Name extends string, Item>(name: Name, items: Item[]) {
  return (items.length === 0 ? {} : { [name]: items }) as { [name in Name]?: Item[] }
}

/** Texts of FHIR have no white space but blanks, tabs and line ends. */
function plainSpaces(text: string): string {
  return text.replace(/[^\S \t\r\n]/g, ' ')
}
