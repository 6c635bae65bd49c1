// `rounds directory export`: the doctor directory as a file that `rounds directory import` reads back without a change. JSON
// holds all of it; CSV holds the doctors, and no speciality that no doctor has; titles that differ in case only need JSON
// to be imported into an empty directory. One picture of all tables, in bounded memory.
import { fetchRows } from '../../../db/fetch-rows.ts'
import { withSession } from '../../../db/session.ts'
import { withMeaning } from '../import/import-directory.ts'
import { DirectoryError } from '../import/mistakes.ts'
import type { DoctorRecord, SpecialityRecord } from '../import/record.ts'

type ExportFormat = 'json' | 'csv'

export type DirectoryExport = {
  databaseUrl: string
  format: ExportFormat
  write: (text: string) => Promise<void>
}

type Counts = { specialities: number; doctors: number }

export async function exportDirectory({ databaseUrl, format, write }: DirectoryExport): Promise<Counts> {
  return withSession(databaseUrl, 'rounds directory export', async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const { rows: specialities } = await client.query<SpecialityRecord>(SPECIALITIES)
    const print = format === 'csv' ? csvPrinter() : jsonPrinter(specialities)
    let doctors = 0
    await write(print.head)
    for await (const some of fetchRows<DoctorRecord>(client, DOCTORS)) {
      const texts = some.map((doctor, index) => print.doctor(doctor, doctors + index === 0))
      await write(texts.join(''))
      doctors += some.length
    }
    await write(print.end)
    await client.query('commit')
    return { specialities: specialities.length, doctors }
  }).catch((error: unknown) => {
    throw withMeaning(error, true)
  })
}

function jsonPrinter(specialities: SpecialityRecord[]) {
  const listed = specialities.map((speciality) => `\n    ${JSON.stringify(speciality)}`)
  return {
    head: `{\n  "specialities": [${listed.join(',')}\n  ],\n  "doctors": [`,
    doctor: (doctor: DoctorRecord, isFirst: boolean) =>
      `${isFirst ? '' : ','}\n    ${JSON.stringify(doctor)}`,
    end: '\n  ]\n}\n',
  }
}

const COLUMNS = [
  'name',
  'specialities',
  'doctorId',
  'gender',
  'qualifications',
  'registrationNumber',
  'languages',
  'experienceYears',
  'city',
  'photoUrl',
  'isActive',
] as const satisfies (keyof DoctorRecord)[]

function csvPrinter() {
  return {
    head: `${COLUMNS.join(',')}\n`,
    doctor: (doctor: DoctorRecord) => `${COLUMNS.map((column) => cellOf(doctor, column)).join(',')}\n`,
    end: '',
  }
}

function cellOf(doctor: DoctorRecord, column: (typeof COLUMNS)[number]): string {
  const value = doctor[column] ?? ''
  if (Array.isArray(value) && value.some((item) => item.includes(';')))
    throw new DirectoryError(
      `CSV cannot hold the ${column} of the doctor ${doctor.doctorId}: ";" stands between the items of a list. Use --format json.`,
    )
  const text = Array.isArray(value) ? value.join(';') : String(value)
  return /[",;|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const SPECIALITIES = `
  select title, is_active as "isActive", speciality_id as "specialityId"
  from appointments.specialities
  order by title`

const DOCTORS = `
  select
    doctor.name,
    array(
      select speciality.title
      from appointments.doctor_specialities as held
      join appointments.specialities as speciality using (speciality_id)
      where held.doctor_id = doctor.doctor_id
        and held.name_key = doctor.name_key
      order by held.position
    ) as specialities,
    doctor.doctor_id as "doctorId",
    doctor.gender,
    doctor.qualifications,
    doctor.registration_number as "registrationNumber",
    doctor.languages,
    doctor.experience_years as "experienceYears",
    doctor.city,
    doctor.photo_url as "photoUrl",
    doctor.is_active as "isActive"
  from appointments.doctors as doctor
  order by doctor.name_key, doctor.doctor_id`
