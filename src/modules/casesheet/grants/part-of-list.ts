// The patients of a doctor may be divided between cells, and each cell lists its own. Its answer then says for whom it speaks, so that
// nobody takes a part for the whole, and where each patient stands, so that a client can merge the answers of all cells.
//
// A cursor is a place in the order of the list and belongs to no cell: after it, every cell goes on at the same place. So a patient who
// moves to another cell between two pages is on one of them, and on one only.
import { type Static, Type } from 'typebox'
import type { ServedOfAll } from '../served-here.ts'

const PartOfList = Type.Object(
  {
    slots: Type.String({
      description:
        'The slots of patients that this cell serves. The parts of all cells are the whole list if every slot from 0 to 4095 is in exactly one of them.',
      examples: ['0-2047,3072'],
    }),
    order: Type.Enum(['asc', 'desc'], {
      type: 'string',
      description: 'Parts are merged in this order of key.',
    }),
    places: Type.Array(
      Type.Object(
        {
          key: Type.Array(Type.Union([Type.String(), Type.Number()]), {
            description: 'Numbers are compared by size, texts by code points; the first that differ decide.',
          }),
          cursor: Type.String({ description: 'In any cell: where the list goes on after this patient.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Where each patient of data stands, in the same order.' },
    ),
  },
  {
    additionalProperties: false,
    description: 'Only where patients are divided between cells: for which of them the answer speaks.',
  },
)
type PartOfList = Static<typeof PartOfList>

export const OptionalPart = Type.Optional(PartOfList)

/** Nothing where this database serves every patient. */
export function partOfList(
  { slots }: ServedOfAll,
  part: Pick<PartOfList, 'order' | 'places'>,
): { cell?: PartOfList } {
  return slots === null ? {} : { cell: { slots, ...part } }
}
