// A few words, each chosen by one press.
type Props = {
  legend: string
  texts: readonly string[]
  /** Nothing where a press is not a choice that stays. */
  chosen?: string
  choose: (text: string) => void
}

export function Chips({ legend, texts, chosen, choose }: Props) {
  if (texts.length === 0) return null
  return (
    <div class="chips" role="group" aria-label={legend}>
      {texts.map((text) => (
        <button
          key={text}
          type="button"
          class="chip"
          dir="auto"
          {...(chosen !== undefined && { 'aria-pressed': chosen === text })}
          onClick={() => choose(text)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
