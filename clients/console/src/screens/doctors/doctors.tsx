// Doctors: search as one types. The search is in the address, so a link finds the same doctors.
import type { Doctor } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { SelectField } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { Pages } from '../../ui/pages.tsx'
import { TypedField } from '../../ui/typed-field.tsx'
import { LOCALE } from '../../words/language.ts'
import './doctors.css'
import { words } from '../../words/words.ts'

const PAGE = 20
const MAX_TEXT = 200

const NO_SEARCH = {
  q: undefined,
  speciality: undefined,
  language: undefined,
  city: undefined,
  cursor: undefined,
}

export function Doctors({ rounds, address }: ScreenProps) {
  const { query } = address
  const asked = (name: string) => query.get(name)?.trim() || undefined
  const search = {
    q: asked('q'),
    specialityId: asked('speciality'),
    language: asked('language'),
    city: asked('city'),
    cursor: asked('cursor'),
  }
  const specialities = useLoad('specialities', (signal) => rounds.listSpecialities({ signal }))
  const { data, error, reload } = useLoad(Object.values(search), (signal) =>
    rounds.listDoctors({ ...search, limit: PAGE }, { signal }),
  )
  const choose = (name: string) => (value: string) =>
    address.go({ query: { [name]: value || undefined, cursor: undefined } })
  const isFiltered = [search.q, search.specialityId, search.language, search.city].some(
    (one) => one !== undefined,
  )
  return (
    <>
      <search class="panel doctor-search">
        <TypedField label={words.directory.name} name="q" maxLength={MAX_TEXT} address={address} />
        <SelectField
          label={words.directory.speciality}
          value={search.specialityId ?? ''}
          set={choose('speciality')}
          options={[
            ['', words.kit.any],
            ...(specialities.data?.data ?? [])
              .filter(({ isActive, specialityId }) => isActive || specialityId === search.specialityId)
              .map(({ specialityId, title }) => [specialityId, title] as const),
          ]}
        />
        <SelectField
          label={words.directory.language}
          value={search.language ?? ''}
          set={choose('language')}
          options={[['', words.kit.any], ...languageChoices(search.language)]}
        />
        <TypedField label={words.directory.city} name="city" maxLength={MAX_TEXT} address={address} />
      </search>
      <p class="found muted" role="status">
        {data &&
          words.directory.found(data.data.length, data.nextCursor !== null || search.cursor !== undefined)}
      </p>
      {(!data || error !== undefined) && <Awaited {...{ error, reload }} lines={6} height={68} />}
      {data && data.data.length === 0 && (
        <Empty title={words.directory.nobody}>
          <span>{words.directory.typeLess}</span>
          {isFiltered && (
            <Link class="button" address={address} to={{ query: NO_SEARCH }}>
              {words.directory.showAll}
            </Link>
          )}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <ul class="panel doctor-list">
          {data.data.map((doctor) => (
            <DoctorRow key={doctor.doctorId} doctor={doctor} address={address} />
          ))}
        </ul>
      )}
      <Pages address={address} next={data?.nextCursor ?? null} />
    </>
  )
}

function DoctorRow({ doctor, address }: { doctor: Doctor; address: Address }) {
  const { session } = useApp()
  const { patientUids } = session.person
  const { name, specialities, qualifications, languages, experienceYears, city, isActive } = doctor
  const facts = [
    city,
    experienceYears === null ? null : words.directory.experience(experienceYears),
    languages.map(languageName).join(', '),
  ].filter((fact) => fact !== null && fact !== '')
  return (
    <li>
      <span class="doctor-name" dir="auto">
        {name} {!isActive && <span class="flag">{words.directory.notActive}</span>}
      </span>
      <span class="doctor-specialities" dir="auto">
        {specialities.map(({ title }) => title).join(', ')}
      </span>
      <span class="small muted" dir="auto">
        {facts.join(' · ')}
      </span>
      <span class="small muted" dir="auto">
        {qualifications.join(', ')}
      </span>
      {patientUids.length > 0 && isActive && (
        <Link
          class="link share"
          address={address}
          to={{ path: 'share', query: { doctor: doctor.doctorId } }}
          label={words.directory.shareWith(patientUids.length === 1, name)}
        >
          {words.directory.share(patientUids.length === 1)}
        </Link>
      )}
    </li>
  )
}

// Languages by name. The directory has them as tags of BCP 47.
const names = new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'code' })

/** Spoken by most people; a link may name any other. */
const TAGS =
  'am ar as az bg bn bs ca ckb cs cy da de el en es et eu fa fi fil fr ga gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko lo lt lv ml mr ms my ne nl no or pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th ti tr uk ur uz vi yo zh zu'.split(
    ' ',
  )

function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}

function languageChoices(chosen: string | undefined): (readonly [tag: string, name: string])[] {
  const tags = chosen === undefined || TAGS.includes(chosen) ? TAGS : [chosen, ...TAGS]
  return tags
    .map((tag) => [tag, languageName(tag)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other))
}
