// For developers: the requests of this screen as lines for a shell.
import { useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { curlOf } from '../request-log.ts'

export function AsCurl() {
  const { requests } = useApp()
  const [lines, setLines] = useState<string>()
  const [isCopied, setCopied] = useState(false)
  const toggle = () => {
    setCopied(false)
    setLines(lines === undefined ? requests.sent().map(curlOf).join('\n') : undefined)
  }
  const copy = async () => {
    await navigator.clipboard.writeText(lines ?? '')
    setCopied(true)
  }
  return (
    <footer class="as-curl">
      <button type="button" class="link small" aria-expanded={lines !== undefined} onClick={toggle}>
        This screen as curl
      </button>
      {lines !== undefined && (
        <>
          <pre tabIndex={0} aria-label="Requests of this screen">
            {lines === '' ? 'This screen has sent no request.' : lines}
          </pre>
          <button type="button" class="button" onClick={() => void copy().catch(() => undefined)}>
            {isCopied ? 'Copied' : 'Copy'}
          </button>
        </>
      )}
    </footer>
  )
}
