// The keys of a list, with what each does.
type Props = { keys: readonly (readonly [keys: readonly string[], does: string])[] }

export const KeyList = ({ keys }: Props) => (
  <dl class="list-keys small">
    {keys.map(([pressed, does]) => (
      <div key={does}>
        <dt>
          {pressed.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
)
