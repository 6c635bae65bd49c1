// Doctors: search as one types. The search is in the address, so a link finds the same doctors.
import { useEffect, useId, useState } from 'preact/hooks'
import type { Doctor } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { countText } from '../../words/numbers.ts'
import { languageChoices, languageName } from './languages.ts'
import './doctors.css'

const PAGE = 20
const TYPING_MS = 250
const MAX_TEXT = 200

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
  const specialities = useLoad((signal) => rounds.listSpecialities({ signal }), [])
  const { data, error, isLoading, reload } = useLoad(
    (signal) => rounds.listDoctors({ ...search, limit: PAGE }, { signal }),
    Object.values(search),
  )
  const id = useId()
  const choose = (name: string) => (event: { currentTarget: { value: string } }) =>
    address.go({ query: { [name]: event.currentTarget.value || undefined, cursor: undefined } })
  const isFiltered = [search.q, search.specialityId, search.language, search.city].some(
    (one) => one !== undefined,
  )
  return (
    <>
      <search class="panel doctor-search">
        <TypedField label="Name" name="q" address={address} />
        <div class="field">
          <label for={`${id}-speciality`}>Speciality</label>
          <select
            id={`${id}-speciality`}
            class="input"
            value={search.specialityId ?? ''}
            onChange={choose('speciality')}
          >
            <option value="">Any</option>
            {specialities.data?.data
              .filter(({ isActive, specialityId }) => isActive || specialityId === search.specialityId)
              .map(({ specialityId, title }) => (
                <option key={specialityId} value={specialityId}>
                  {title}
                </option>
              ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-language`}>Language</label>
          <select
            id={`${id}-language`}
            class="input"
            value={search.language ?? ''}
            onChange={choose('language')}
          >
            <option value="">Any</option>
            {languageChoices(search.language ?? null).map(({ tag, name }) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <TypedField label="City" name="city" address={address} />
      </search>
      <p class="found muted" role="status">
        {data &&
          !isLoading &&
          foundText(data.data.length, data.nextCursor !== null || search.cursor !== undefined)}
        {isLoading && data && 'Searching…'}
      </p>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading lines={6} height={68} />}
      {data && data.data.length === 0 && (
        <Empty title="No doctor matches.">
          <span>Type fewer letters of the name, or leave a field empty.</span>
          {isFiltered && (
            <Link
              class="button"
              address={address}
              to={{
                query: {
                  q: undefined,
                  speciality: undefined,
                  language: undefined,
                  city: undefined,
                  cursor: undefined,
                },
              }}
            >
              Show all doctors
            </Link>
          )}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <ul class="panel doctor-list" aria-busy={isLoading}>
          {data.data.map((doctor) => (
            <DoctorRow key={doctor.doctorId} doctor={doctor} />
          ))}
        </ul>
      )}
      <nav class="doctor-pages" aria-label="Pages">
        {search.cursor !== undefined && (
          <Link class="button" address={address} to={{ query: { cursor: undefined } }}>
            First page
          </Link>
        )}
        {data?.nextCursor && (
          <Link class="button" address={address} to={{ query: { cursor: data.nextCursor } }}>
            Next page
          </Link>
        )}
      </nav>
    </>
  )
}

function foundText(count: number, hasPages: boolean): string {
  return hasPages ? `${countText(count, 'doctor')} on this page` : countText(count, 'doctor')
}

/** A text that is searched for as it is typed: the address follows a moment later, in one step of the history. */
function TypedField({ label, name, address }: { label: string; name: string; address: Address }) {
  const id = useId()
  const inAddress = address.query.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  // The way back in the history, or a link.
  useEffect(() => {
    if (inAddress !== text.trim()) setText(inAddress)
  }, [inAddress])
  useEffect(() => {
    if (text.trim() === inAddress) return undefined
    const timer = setTimeout(
      () => address.go({ query: { [name]: text.trim() || undefined, cursor: undefined } }, { replace: true }),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="search"
        dir="auto"
        maxLength={MAX_TEXT}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}

function DoctorRow({ doctor }: { doctor: Doctor }) {
  const { name, specialities, qualifications, languages, experienceYears, city, isActive } = doctor
  const facts = [
    city,
    experienceYears === null ? null : `${countText(experienceYears, 'year')} of experience`,
    languages.map(languageName).join(', '),
  ].filter((fact) => fact !== null && fact !== '')
  return (
    <li>
      <span class="doctor-name" dir="auto">
        {name} {!isActive && <span class="flag">not active</span>}
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
    </li>
  )
}
