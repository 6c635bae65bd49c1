// Whose patients a list does not show, where patients are divided between cells and one of them does not answer.
import type { CellsOfList } from '../../../typescript/src/client.ts'

export function MissingCells({ cells }: { cells: CellsOfList | undefined }) {
  if (!cells || cells.missing.length === 0) return null
  return (
    <p class="notice" role="status">
      {cells.missing.map(({ cell, message }) => (
        <span key={cell}>
          {cell === null ? 'Some patients are not shown.' : `Patients of ${cell} are not shown.`} {
            message
          }{' '}
        </span>
      ))}
    </p>
  )
}
