import { counted } from '../language.ts'

const doctors = (count: number) => counted(count, { one: 'doctor', other: 'doctors' })

/** The doctors of the directory. */
export const directory = {
  name: 'Name',
  speciality: 'Speciality',
  language: 'Language',
  city: 'City',
  found: (count: number, isPage: boolean) => (isPage ? `${doctors(count)} on this page` : doctors(count)),
  nobody: 'No doctor matches.',
  typeLess: 'Type fewer letters of the name, or leave a field empty.',
  showAll: 'Show all doctors',
  experience: (years: number) => `${counted(years, { one: 'year', other: 'years' })} of experience`,
  notActive: 'not active',
  share: (isOwn: boolean): string => (isOwn ? 'Share my readings' : 'Share readings'),
  shareWith: (isOwn: boolean, name: string) => `Share ${isOwn ? 'my readings' : 'readings'} with ${name}`,
}
