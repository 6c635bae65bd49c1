// The pages of the development issuer: one that asks who signs in, one on the way out, and one for what went wrong. They need no
// script, but for the way out, and nothing from elsewhere.
import type { Person } from './people.ts'

const STYLE = `
  :root { color-scheme: light dark; --ink: light-dark(#13212e, #e7eef4); --muted: light-dark(#566675, #98a9b8);
    --surface: light-dark(#fff, #151f29); --line: light-dark(#c4ced6, #3a4a58); --accent: light-dark(#0a6b7c, #56c4d8) }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f5f7f9, #0e151c);
    color: var(--ink); font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
  main { width: min(26rem, calc(100vw - 2rem)); padding: 1.5rem 0 }
  h1 { font-size: 22px; font-weight: 650; margin: 0 0 .25rem } p { color: var(--muted); margin: 0 0 1.25rem }
  form { display: grid; gap: .75rem }
  button { display: block; width: 100%; min-height: 40px; padding: .8rem 1rem; text-align: left; font: inherit; color: inherit;
    background: var(--surface); border: 1px solid var(--line); border-radius: 12px; cursor: pointer }
  button b { display: block; font-weight: 600 } button span { color: var(--muted) }
  button:hover { border-color: var(--accent) } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }`

export function signInPage(people: Person[]): string {
  const buttons = people.map(
    ({ id, name, about }) =>
      `<button name="person" value="${id}"><b>${escaped(name)}</b><span>${escaped(about)}</span></button>`,
  )
  return page(
    'Sign in to Rounds',
    `<p>For development. These people are invented and have no passwords: choose one.</p>
    <form method="post">${buttons.join('')}</form>`,
  )
}

/** The form is the provider's; it is sent at once, and by hand where there are no scripts. */
export function signOutPage(form: string): string {
  return page(
    'Sign out of Rounds',
    `${form.replace('</form>', '<input type="hidden" name="logout" value="yes"><button>Sign out</button></form>')}
    <script>document.forms[0].submit()</script>`,
  )
}

export function signedOutPage(): string {
  return page('Signed out', '<p>You have signed out of Rounds.</p>')
}

export function errorPage(reason: string): string {
  return page('You cannot sign in like this', `<p>${escaped(reason)}</p>`)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
<main><h1>${title}</h1>${content}</main>
</html>
`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
