// The tour of README: a doctor finds an alert and acknowledges it, a patient adds a reading. Screens of a real console are put on a
// stage, a page of its own with a caption and a pointer, which becomes one frame after the other; img2webp makes the film of them.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { findProgram } from '../tools/dev/find-program.ts'

const SCREEN = { width: 1_000, height: 640 }
const PHONE = { width: 390, height: 600 }
const CAPTION_HEIGHT = 56
/** Of the display, so that text stays sharp where the film is drawn smaller or on a dense screen. */
const SCALE = 1.5
const STAGE = { width: SCREEN.width, height: SCREEN.height + CAPTION_HEIGHT }

const STYLE = `
  body { margin: 0; background: #dfe6ec; font: 18px system-ui, sans-serif; }
  img { display: block; }
  .phone { margin: 12px auto; border: 8px solid #13212e; border-radius: 28px; }
  div { height: ${CAPTION_HEIGHT}px; padding: 0 20px; display: flex; align-items: center; gap: 20px;
    background: #13212e; color: #ffffff; }
  small { margin-left: auto; flex: none; font-size: 14px; color: #98a9b8; }
  svg, i { position: absolute; width: 26px; height: 26px; margin: -2px 0 0 -3px; }
  i { width: 44px; height: 44px; margin: -22px 0 0 -22px; border-radius: 50%; background: #0a6b7c55; }`
const ARROW = '<path d="M3 2l7 19 2.6-7.4L20 11z" fill="#13212e" stroke="#ffffff" stroke-width="1.6"/>'

type Place = { x: number; y: number }
/** A page, and where its screen stands on the stage. */
type View = { page: Page; size: typeof SCREEN; at: Place; look: string }

/** The program that makes the film, or an error that says how to get it. */
export function mustFindEncoder(): string {
  const encoder = findProgram('img2webp')
  if (encoder === undefined)
    throw new Error('img2webp is missing, which makes docs/tour.webp. Debian has it in the package "webp".')
  return encoder
}

class Film {
  readonly #stage: Page
  readonly #dir: string
  readonly #frames: { file: string; ms: number }[] = []
  #pointer: Place = { x: SCREEN.width - 60, y: SCREEN.height - 60 }
  /** The screen and its caption, as they were shown last. */
  #shown = ''

  constructor(stage: Page, dir: string) {
    this.#stage = stage
    this.#dir = dir
  }

  /** What the person sees now, for as long as it takes to read it. */
  async show({ page, size, look }: View, caption: string, ms: number) {
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    this.#shown = `<img class="${look}" width="${size.width}" height="${size.height}" src="data:image/png;base64,${png.toString('base64')}">
      <div>${caption}<small>All people are invented</small></div>`
    await this.#addFrame(ms)
  }

  /** Leads the pointer to a control, and presses it. */
  async press({ at }: View, control: Locator) {
    const box = await control.boundingBox()
    if (box === null) throw new Error('There is nothing to press.')
    const to = { x: at.x + box.x + box.width / 2, y: at.y + box.y + box.height / 2 }
    const from = this.#pointer
    for (const part of [0.1, 0.35, 0.65, 0.9, 1]) {
      this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
      await this.#addFrame(70)
    }
    await this.#addFrame(180, true)
    await control.click()
  }

  async #addFrame(ms: number, isPressed = false) {
    const at = `left: ${this.#pointer.x}px; top: ${this.#pointer.y}px`
    const ring = isPressed ? `<i style="${at}"></i>` : ''
    const arrow = `<svg viewBox="0 0 24 24" style="${at}">${ARROW}</svg>`
    // Which waits until the picture is there.
    await this.#stage.setContent(`<!doctype html><style>${STYLE}</style>${this.#shown}${ring}${arrow}`)
    const file = join(this.#dir, `${String(this.#frames.length).padStart(3, '0')}.png`)
    await this.#stage.screenshot({ path: file })
    this.#frames.push({ file, ms })
  }

  async encode(encoder: string, into: string) {
    const frames = this.#frames.flatMap(({ file, ms }) => ['-lossless', '-m', '6', '-d', String(ms), file])
    await promisify(execFile)(encoder, ['-loop', '0', '-min_size', ...frames, '-o', into])
  }
}

/** Opens a screen of the console as an invented person. */
export type SignIn = (person: string, path: string, size: typeof SCREEN, scale: number) => Promise<Page>

export async function recordTour(browser: Browser, signIn: SignIn, into: string) {
  const encoder = mustFindEncoder()
  const dir = await mkdtemp(join(tmpdir(), 'rounds-tour-'))
  try {
    const stage = await browser.newPage({ viewport: STAGE, deviceScaleFactor: SCALE })
    const film = new Film(stage, dir)
    await acknowledge(film, await signIn('Dr Willow Sample', 'my-patients', SCREEN, SCALE))
    await addReading(film, await signIn('Ada Example', 'add', PHONE, SCALE))
    await film.encode(encoder, into)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function acknowledge(film: Film, page: Page) {
  const view = { page, size: SCREEN, at: { x: 0, y: 0 }, look: 'laptop' }
  await film.show(view, 'A doctor’s list: who needs attention comes first, with the reason.', 3_200)
  await film.press(view, page.locator('.list-row').filter({ hasText: 'Bruno Muster' }))
  await page.getByRole('link', { name: 'Open the alert' }).waitFor()
  await settle(page)
  await film.show(view, 'One patient: the newest readings, against the target that a person set.', 3_000)
  await film.press(view, page.getByRole('link', { name: 'Open the alert' }))
  const row = page.getByRole('row').filter({ hasText: 'Bruno Muster' })
  await row.waitFor()
  await settle(page)
  await film.show(view, 'The inbox has what this doctor asked to be notified of.', 1_600)
  await film.press(view, row)
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
  await settle(page)
  const alert = 'The alert: the reading that opened it, and the line of the doctor’s rule.'
  await film.show(view, alert, 2_800)
  await film.press(view, page.getByRole('button', { name: 'Acknowledge' }))
  const dialog = page.getByRole('dialog', { name: 'Acknowledge this alert' })
  await dialog.waitFor()
  const noting = 'The doctor acknowledges it. The patient sees that, and the note.'
  await typeInto(film, view, {
    field: dialog.getByLabel('Note (optional)'),
    text: 'Called him.',
    caption: noting,
  })
  await film.press(view, dialog.getByRole('button', { name: 'Acknowledge' }))
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByText(/Acknowledged by you|You acknowledged it/)
    .first()
    .waitFor()
  await settle(page)
  await film.show(view, noting, 2_400)
}

async function addReading(film: Film, page: Page) {
  const at = { x: (STAGE.width - PHONE.width) / 2, y: (SCREEN.height - PHONE.height) / 2 }
  const view = { page, size: PHONE, at, look: 'phone' }
  const caption = 'A patient adds a reading on a phone, also without a network.'
  await film.show(view, caption, 1_400)
  await typeInto(film, view, { field: page.getByLabel('Systolic'), text: '128', caption })
  await typeInto(film, view, { field: page.getByLabel('Diastolic'), text: '82', caption })
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await add.scrollIntoViewIfNeeded()
  await film.show(view, caption, 500)
  await film.press(view, add)
  await page.getByRole('button', { name: /^Undo / }).waitFor()
  await page.getByRole('heading', { name: 'Added here' }).scrollIntoViewIfNeeded()
  await settle(page)
  await film.show(view, 'It is stored: sent twice, it would still be there once.', 2_400)
  await film.press(view, page.getByRole('link', { name: 'Today' }))
  await page.getByText('128').first().waitFor()
  await settle(page)
  await film.show(view, 'Today shows it, and who set the target.', 3_000)
}

type Typing = { field: Locator; text: string; caption: string }

async function typeInto(film: Film, view: View, { field, text, caption }: Typing) {
  await film.show(view, caption, 200)
  await film.press(view, field)
  for (let end = 1; end <= text.length; end++) {
    await field.fill(text.slice(0, end))
    await film.show(view, caption, end === text.length ? 500 : 90)
  }
}

/** Nothing loads any more. */
async function settle(page: Page) {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(800)
}
