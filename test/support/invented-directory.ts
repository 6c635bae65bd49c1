// A directory file of any size. The people in it are invented and their names say so.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

const SYLLABLES =
  'an ber cal dov ek fen gu hol is jor kal len mar nor os per qui ras sun tor ul vik wen xan yor zel'.split(
    ' ',
  )
const CITIES = ['Pune', 'Zürich', 'São Paulo', 'Łódź', 'Invented City']
const LANGUAGES = [['en-IN', 'hi'], ['en'], ['mr', 'en-GB'], ['de-CH'], ['cy']]

/** The n-th of the specialities and of the doctors; the same number gives the same one. */
export const inventedSpeciality = (n: number) => ({ title: `Invented Speciality ${n}` })

export function inventedDoctor(n: number, specialities: number) {
  const seed = Math.imul(n + 1, 2_654_435_761) >>> 0
  const part = (shift: number) => SYLLABLES[Math.floor(seed / SYLLABLES.length ** shift) % SYLLABLES.length]
  const title = (index: number) => inventedSpeciality(index % specialities).title
  return {
    name: `Dr. ${part(0)}${part(1)} ${part(2)}${part(3)}${part(4)} (invented)`,
    specialities: n % 2 === 0 ? [title(n)] : [title(n), title(n + 7)],
    gender: n % 2 === 0 ? 'female' : 'male',
    qualifications: ['MBBS', 'MD'],
    registrationNumber: `INVENTED-${n}`,
    // One in a thousand speaks Welsh, the others one of the four before it in the list.
    languages: LANGUAGES[n % 1_000 === 0 ? 4 : n % 4],
    experienceYears: n % 40,
    city: CITIES[n % CITIES.length],
    photoUrl: `https://photos.example/${n}.jpg`,
    isActive: n % 10 !== 0,
  }
}

export async function writeInventedDirectory(path: string, size: { doctors: number; specialities: number }) {
  const file = createWriteStream(path)
  const write = async (text: string) => void (file.write(text) || (await once(file, 'drain')))
  const titles = Array.from({ length: size.specialities }, (_, n) => inventedSpeciality(n))
  await write(`{"specialities":${JSON.stringify(titles)},"doctors":[\n`)
  for (let first = 0; first < size.doctors; first += 1_000) {
    const doctors = Array.from({ length: Math.min(1_000, size.doctors - first) }, (_, index) =>
      JSON.stringify(inventedDoctor(first + index, size.specialities)),
    )
    await write(`${first === 0 ? '' : ',\n'}${doctors.join(',\n')}`)
  }
  file.end(']}\n')
  await finished(file)
}
