// The file's records as rows of temporary tables, where SQL compares them with the directory. The tables end with the session.
import type { Client } from 'pg'
import { contentUuid } from '../../../db/content-uuid.ts'
import { searchKeyOf } from '../../../search-key.ts'
import { languageOf } from '../language.ts'
import type { Cell, TableTarget } from './copy.ts'
import type { DoctorRecord, List, SpecialityRecord } from './record.ts'

/** The columns of a doctor that a file decides, in the incoming table as in the directory. */
export const FIELDS = [
  'name',
  'name_key',
  'gender',
  'qualifications',
  'registration_number',
  'languages',
  'language_keys',
  'experience_years',
  'city',
  'city_key',
  'photo_url',
  'is_active',
]

export function fieldsOf(table: string): string {
  return FIELDS.map((field) => `${table}.${field}`).join(', ')
}

export const INCOMING: Record<List, TableTarget> = {
  specialities: {
    table: 'incoming_specialities',
    columns: ['row', 'speciality_id', 'made_id', 'title', 'is_active'],
  },
  doctors: {
    table: 'incoming_doctors',
    columns: ['row', 'doctor_id', 'made_id', 'name_id', 'titles', ...FIELDS],
  },
}

/** made_id is the id of one that is new and given none; name_id stands for the name with the set of specialities. */
export async function createIncomingTables(client: Client) {
  await client.query(`
    create temporary table incoming_specialities (
      row integer primary key,
      speciality_id text collate "C",
      made_id text collate "C" not null,
      title text collate "C" not null,
      is_active boolean not null
    );
    create temporary table incoming_doctors (
      row integer primary key,
      doctor_id text collate "C",
      made_id text collate "C" not null,
      name_id uuid not null,
      titles text[] collate "C" not null,
      name text not null,
      name_key text collate "C" not null,
      gender text,
      qualifications text[] not null,
      registration_number text collate "C",
      languages text[] not null,
      language_keys text[] not null,
      experience_years integer,
      city text,
      city_key text collate "C",
      photo_url text,
      is_active boolean not null
    );
    create index on incoming_doctors (doctor_id) where doctor_id is not null`)
}

// Text is stored in composed form (NFC): a title typed on two systems must not become two specialities.
export function specialityRow(row: number, record: SpecialityRecord): Cell[] {
  const title = record.title.normalize()
  return [row, record.specialityId, madeSpecialityId(title), title, record.isActive ?? true]
}

export function madeSpecialityId(title: string): string {
  return contentUuid(JSON.stringify(['speciality', title]))
}

export function doctorRow(row: number, doctor: DoctorRecord): Cell[] {
  const name = doctor.name.normalize()
  const titles = unique(doctor.specialities.map((title) => title.normalize()))
  const languages = (doctor.languages ?? []).map(languageOf).filter((language) => language !== undefined)
  const { registrationNumber, city } = doctor
  const nameId = contentUuid(JSON.stringify(['doctor by name', name, ...titles.toSorted()]))
  const madeId = registrationNumber
    ? contentUuid(JSON.stringify(['doctor by registrationNumber', registrationNumber]))
    : nameId
  return [
    row,
    doctor.doctorId,
    madeId,
    nameId,
    titles,
    name,
    searchKeyOf(name),
    doctor.gender,
    doctor.qualifications ?? [],
    registrationNumber,
    unique(languages.map(({ tag }) => tag)),
    unique(languages.flatMap(({ keys }) => keys)),
    doctor.experienceYears,
    city?.normalize(),
    city && searchKeyOf(city),
    doctor.photoUrl,
    doctor.isActive ?? true,
  ]
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)]
}
