// What a doctor noted, as it was written, with its lines.
import './reviews.css'

export function ReviewNote({ note }: { note: string | null }) {
  if (note === null) return null
  return (
    <blockquote class="review-note" dir="auto">
      {note}
    </blockquote>
  )
}
