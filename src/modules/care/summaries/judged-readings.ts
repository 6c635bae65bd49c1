// SQL: readings with their numbers beside the targets of their patients. Its parameters are those of make-statement.ts.
import { IS_NUMBER } from '../../casesheet/statistics/statistics-statement.ts'
import { inUnits } from '../unit-sql.ts'
import { OUTER } from './what-is-summarised.ts'

const { unit: UNIT, compared } = inUnits(9)

/** Fields are known by their numbers, from 1. */
export type Fields = { name: string; nth: number; hasOwnUnit: boolean }[]

export const each = (fields: Fields, of: (field: Fields[number]) => string, between = ', ') =>
  fields.map(of).join(between)

/** A list of columns that follows others. */
const more = (fields: Fields, of: (field: Fields[number]) => string) =>
  fields.map((field) => `, ${of(field)}`).join('')

/** SQL: what the patients' readings are compared with, in one row for each patient. */
export const targetsOf = (fields: Fields) => `
    select locked.patient_uid, found.*
    from locked
    cross join lateral (
      select count(*) > 0 as has_target,
        coalesce(bool_or(preset = '${OUTER.preset}'), false) as has_goal,
        coalesce(max(array_position($9::text[], unit)), 1) as shown_unit,
        ($9::text[])[coalesce(max(array_position($9::text[], unit)), 1)] as made_in
        ${more(fields, ({ name, nth }) => {
          const which = `filter (where field = '${name}')`
          return `max(low) ${which} as low_${nth}, max(high) ${which} as high_${nth}, max(below) ${which} as below_${nth},
        count(*) ${which} > 0 as has_${nth}`
        })}
      from casesheet.targets
      where targets.patient_uid = locked.patient_uid
        and reading_type = $7
        and state = 'set'
    ) as found`

/** SQL: on which side of two bounds a value is. */
const sideOf = (value: string, { low, high, below }: Record<'low' | 'high' | 'below', string>) => `case
            when ${value} is null then null
            when ${value} < ${low} then -1
            when ${value} > ${high} or ${value} >= ${below} then 1
            else 0
          end`

/**
 * SQL: rows of readings, each with its numbers in the unit that is shown, on which side of the target and of the outer bounds they are, and
 * how far outside the farthest is: as a share of the bound, so that systolic and diastolic can be compared.
 */
export const judged = (fields: Fields, rows: string) => `
      select *, num_nonnulls(${each(fields, ({ nth }) => `side_${nth}`)}) > 0 as is_judged,
        num_nonnulls(${each(fields, ({ nth }) => `nullif(side_${nth}, 0)`)}) = 0 as is_within,
        num_nonnulls(${each(fields, ({ nth }) => `nullif(far_${nth}, 0)`)}) > 0 as is_outside,
        greatest(${each(fields, ({ nth }) => `by_${nth}`)}) as outside_by
      from (
        select *
          ${more(
            fields,
            ({ nth }) => `case far_${nth}
            when -1 then (far_low_${nth} - value_${nth}) / greatest(abs(far_low_${nth}), 1e-9)
            when 1 then (value_${nth} - coalesce(far_high_${nth}, far_below_${nth})) / greatest(abs(coalesce(far_high_${nth}, far_below_${nth})), 1e-9)
          end as by_${nth}`,
          )}
        from (
          select *
            ${more(
              fields,
              ({
                nth,
              }) => `case when has_${nth} then ${sideOf(`value_${nth}`, { low: `low_${nth}`, high: `high_${nth}`, below: `below_${nth}` })} end as side_${nth},
            case when has_${nth} then ${sideOf(`value_${nth}`, { low: `far_low_${nth}`, high: `far_high_${nth}`, below: `far_below_${nth}` })} end as far_${nth}`,
            )}
          from (
            select *
              ${more(
                fields,
                ({ nth, hasOwnUnit }) => `case
                when number_${nth} is null or unit is null then null
                else ${hasOwnUnit ? `number_${nth}` : compared(`number_${nth}`, 'unit', 'shown_unit')}
              end as value_${nth},
              case when has_goal then ($14::float8[])[shown_unit] else low_${nth} end as far_low_${nth},
              case when has_goal then ($15::float8[])[shown_unit] else high_${nth} end as far_high_${nth},
              case when not has_goal then below_${nth} end as far_below_${nth}`,
              )}
            from (
              select *
                ${more(fields, ({ nth }) => `case when ${IS_NUMBER.replaceAll('written', `written_${nth}`)} then written_${nth}::float8 end as number_${nth}`)}
              from (
                select *, ${UNIT} as unit
                  ${more(fields, ({ name, nth }) => `(details -> '${name}')::text as written_${nth}`)}
                from (${rows}
                ) as readings
                join targets using (patient_uid)
                offset 0
              ) as fields
              offset 0
            ) as numbers
            offset 0
          ) as valued
          offset 0
        ) as sided
        offset 0
      ) as measured`
