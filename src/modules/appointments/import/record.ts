// What a directory file may say of a speciality and of a doctor. These are the contracts: whatever the file's format,
// its records are checked against them and against nothing else.
import { type Static, Type } from 'typebox'
import { type Check, checkFor } from '../../../http/json/validation.ts'
import type { FieldError } from '../../../refusal.ts'
import { searchKeyOf } from '../../../search-key.ts'
import { TextOrNull } from '../doctor.ts'
import { LANGUAGE_TAG, languageOf } from '../language.ts'

// Something to see, no control characters, no half of a surrogate pair, nothing that reorders the text around it on a
// screen, and no white space at the ends.
const PLAIN_TEXT =
  '^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])(?!\\s)[^\\p{Cc}\\p{Cs}\\u2028-\\u202E\\u2066-\\u2069]+(?<!\\s)$'
const ID = '^[^\\s\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$'
// An index entry of PostgreSQL takes 2,700 bytes: name, city and id together must stay below.
const MAX_KEY_BYTES = 800

const WEB_ADDRESS = 'an http(s) address of at most 2000 characters'

function plain(maxCharacters: number) {
  return {
    minLength: 1,
    maxLength: maxCharacters,
    pattern: PLAIN_TEXT,
    'x-mustBe': `a text of 1 to ${maxCharacters} characters, with no white space at its ends and no control characters`,
  }
}
const id = {
  minLength: 1,
  maxLength: 100,
  pattern: ID,
  'x-mustBe': 'a text of 1 to 100 characters without white space',
}
const Switch = Type.Optional(Type.Boolean({ 'x-mustBe': 'true or false' }))
const Texts = Type.Optional(
  Type.Array(Type.String(plain(200)), { maxItems: 100, 'x-mustBe': 'a list of at most 100 texts' }),
)

export type List = 'specialities' | 'doctors'

/** One record as it stands in the file, not yet checked. Its row is its index in the list, or in CSV its line. */
export type FileRecord = { list: List; row: number; value: unknown }

const SpecialityRecord = Type.Object(
  {
    title: Type.String(plain(200)),
    isActive: Switch,
    specialityId: Type.Optional(Type.String(id)),
  },
  { additionalProperties: false, 'x-mustBe': 'an object with a title' },
)
export type SpecialityRecord = Static<typeof SpecialityRecord>

export const DoctorRecord = Type.Object(
  {
    name: Type.String(plain(200)),
    specialities: Type.Array(Type.String(plain(200)), {
      maxItems: 100,
      uniqueItems: true,
      'x-mustBe': 'a list of at most 100 titles, each once',
    }),
    doctorId: Type.Optional(Type.String(id)),
    gender: Type.Optional(TextOrNull(plain(50))),
    qualifications: Texts,
    registrationNumber: Type.Optional(TextOrNull(plain(100))),
    languages: Texts,
    experienceYears: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 100,
        'x-mustBe': 'a whole number from 0 to 100',
      }),
    ),
    city: Type.Optional(TextOrNull(plain(200))),
    photoUrl: Type.Optional(
      TextOrNull({ maxLength: 2_000, pattern: '^https?://[^\\s\\p{Cc}\\p{Cs}]+$', 'x-mustBe': WEB_ADDRESS }),
    ),
    isActive: Switch,
  },
  { additionalProperties: false, 'x-mustBe': 'an object with a name and specialities' },
)
export type DoctorRecord = Static<typeof DoctorRecord>

const checkDoctorSchema = checkFor(DoctorRecord)

/** The check of each list's records. */
export const CHECK_OF: Record<List, Check> = {
  specialities: checkFor(SpecialityRecord),
  doctors(value) {
    const errors = checkDoctorSchema(value)
    return errors.length > 0 ? errors : checkBeyondSchema(value as DoctorRecord)
  },
}

function checkBeyondSchema({ languages = [], photoUrl, name, city }: DoctorRecord): FieldError[] {
  const faults: [boolean, string, string][] = [
    ...languages.map((tag, index): [boolean, string, string] => [
      languageOf(tag) === undefined,
      `/languages/${index}`,
      LANGUAGE_TAG,
    ]),
    [!URL.canParse(photoUrl ?? 'https://none'), '/photoUrl', WEB_ADDRESS],
    [isLongKey(name), '/name', 'shorter'],
    [isLongKey(city ?? ''), '/city', 'shorter'],
  ]
  return faults
    .filter(([isFault]) => isFault)
    .map(([, pointer, mustBe]) => ({ pointer, message: `must be ${mustBe}` }))
}

function isLongKey(text: string): boolean {
  // A character may become 18 others, though not one of ASCII.
  return !/^[ -~]*$/.test(text) && Buffer.byteLength(searchKeyOf(text)) > MAX_KEY_BYTES
}
