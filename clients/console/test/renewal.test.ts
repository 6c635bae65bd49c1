// A token expires in the middle: it is renewed before that, and the screen stays as it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, startStage } from './browser.ts'

const TOKEN_SECONDS = 4
/** The server allows 5 s for clocks that differ: after that an old token is refused. */
const REFUSED_AFTER_MS = (TOKEN_SECONDS + 5) * 1_000
const stage = await startStage({ tokenSeconds: TOKEN_SECONDS })

test('what is typed, the address and the session outlive several tokens', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=heartRate' })
  const signedInAt = Date.now()
  const loads: string[] = []
  page.on('framenavigated', (frame) => loads.push(frame.url()))
  const address = page.url()
  const value = page.getByRole('textbox').or(page.getByRole('spinbutton')).first()
  await value.fill('64')
  while (Date.now() - signedInAt < REFUSED_AFTER_MS) {
    const renewal = await page.waitForResponse((answer) => answer.url() === `${stage.issuer.url}/token`)
    assert.equal(renewal.status(), 200)
    assert.match(renewal.request().postData() ?? '', /grant_type=refresh_token/)
  }
  assert.equal(await value.inputValue(), '64')
  assert.deepEqual([page.url(), loads], [address, []])
  const answered = page.waitForResponse(/\/readings\//)
  await page.getByRole('link', { name: 'Today' }).click()
  assert.equal((await answered).status(), 200)
})
