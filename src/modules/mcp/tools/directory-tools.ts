// Tools on the directory: list_doctors, list_specialities.
import { Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { limitParameter } from '../../../http/pages.ts'
import type { FindDoctors } from '../../appointments/find-doctors.ts'
import { DoctorsQuery, listDoctors } from '../../appointments/list-doctors.ts'
import { listSpecialities } from '../../appointments/list-specialities.ts'
import { answerOf, answerSchema, fittingOf, leftOutOf, pageThatFits } from './answer-as-data.ts'
import { defineTool, type Tool } from './tool.ts'

const MAX_DOCTORS = 100
const DEFAULT_DOCTORS = 20

type Page = { data: { doctorId: string }[]; nextCursor: string | null }

const Listed = Type.Array(Type.Object({}, { additionalProperties: true }))

export function directoryTools(db: Db, findDoctors: FindDoctors): Tool[] {
  return [doctorsTool(findDoctors), specialitiesTool(db)]
}

function doctorsTool(findDoctors: FindDoctors): Tool {
  return defineTool({
    name: 'list_doctors',
    title: 'Doctors',
    description: 'Doctors of the directory by name, with filters that can be combined.',
    takes: Type.Object(
      {
        ...DoctorsQuery.properties,
        limit: limitParameter({
          description: 'Maximum number of doctors; an answer of 64 KiB may hold fewer.',
          default: DEFAULT_DOCTORS,
          maximum: MAX_DOCTORS,
        }),
      },
      { additionalProperties: false },
    ),
    answers: answerSchema({ data: Listed }),
    run: async (query, { request: { caller } }) => {
      const { page, fitting } = await pageThatFits<Page, Page['data'][number]>(
        query.limit ?? DEFAULT_DOCTORS,
        async (limit) =>
          JSON.parse(
            String((await listDoctors(findDoctors, { ...query, limit }, caller.subject)).answer.body),
          ) as Page,
        ({ data: items }) => ({ fields: {}, items, nameOf: ({ doctorId }) => ({ doctorId }) }),
      )
      const { nextCursor: cursor } = page
      const goOn = cursor === null ? undefined : { goOnWith: { cursor } }
      return answerOf({ data: fitting.data, ...leftOutOf(fitting, goOn) })
    },
  })
}

function specialitiesTool(db: Db): Tool {
  return defineTool({
    name: 'list_specialities',
    title: 'Specialities',
    description: 'All specialities of the directory, by title.',
    takes: Type.Object(
      {
        startAt: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'How many to pass over.',
            'x-mustBe': 'a whole number from 0 on',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: answerSchema({ data: Listed }),
    run: async ({ startAt = 0 }) => {
      const { answer } = await listSpecialities(db)
      const { data } = JSON.parse(String(answer.body)) as { data: { specialityId: string }[] }
      const items = data.slice(startAt)
      const nameOf = ({ specialityId }: { specialityId: string }) => ({ specialityId })
      const fitting = fittingOf({ fields: {}, items, nameOf })
      const count = items.length - fitting.taken
      const goOn = count > 0 ? { count, goOnWith: { startAt: startAt + fitting.taken } } : undefined
      return answerOf({ data: fitting.data, ...leftOutOf(fitting, goOn) })
    },
  })
}
