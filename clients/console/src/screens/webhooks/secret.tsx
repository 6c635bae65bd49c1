// The secret of an endpoint, which is shown once.
import { useState } from 'preact/hooks'

export function Secret({ secret }: { secret: string }) {
  const [said, setSaid] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not let this page copy. Select the secret and copy it.'),
    )
  return (
    <div class="notice webhook-secret">
      <strong id="secret-label">Secret</strong>
      <code aria-labelledby="secret-label" role="group">
        {secret}
      </code>
      <span class="row">
        <button type="button" class="button" onClick={() => void copy()}>
          Copy the secret
        </button>
        <span class="small" role="status">
          {said}
        </span>
      </span>
      <span>
        Give it to the receiver, which checks with it that messages come from here.{' '}
        <strong>It will not be shown again.</strong>
      </span>
    </div>
  )
}
