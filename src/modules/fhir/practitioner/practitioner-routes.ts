// Practitioner and PractitionerRole: search, read.
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import type { FindDoctors } from '../../appointments/find-doctors.ts'
import type { Gets } from '../gets.ts'
import { searchAnswer } from '../search/search-answer.ts'
import { type DoctorResource, readDoctor, searchDoctors } from './search-practitioners.ts'

type Deps = { db: Db; findDoctors: FindDoctors }

export function practitionerRoutes(gets: Gets, type: DoctorResource, deps: Deps) {
  gets.serveSearch(
    `/${type}`,
    searchAnswer(type, async (sent, { request, base }) =>
      searchDoctors(deps, type, sent, { base, subject: request.caller.subject }),
    ),
  )
  gets.serve(`/${type}/:id`, async ({ request, params }) => {
    const found = await readDoctor(deps.db, type, params['id'] ?? '', request.caller.subject)
    if (!found) throw new Refusal('NotFound', `There is no such ${type}.`)
    return JSON.stringify(found)
  })
}
