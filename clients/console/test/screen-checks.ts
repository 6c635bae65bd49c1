// What every screen must hold: no violation that axe-core finds, nothing that overlaps or scrolls sideways, and all of it by
// keyboard.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Found = { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }

/** Fails with each violation that axe-core finds. It is put into the page from outside, so the page's own policy stays. */
export async function axe(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: `${AXE};undefined` })
  const { result } = await session.send('Runtime.evaluate', {
    // Without `preload` it makes no style elements, which the page's policy would refuse.
    expression: 'axe.run(document, { preload: false }).then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
  })
  await session.detach()
  const violations = JSON.parse(String(result.value)) as Found[]
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  )
  assert.deepEqual(found, [], `axe-core at ${page.url()}`)
}

/** Fails where the page scrolls sideways, where something reaches beyond it, and where texts or controls overlap. */
export async function assertNoOverflow(page: Page) {
  const found = await page.evaluate(async () => {
    // What observes its size is notified of a new one in the next frame.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    type Box = { name: string; element: Element; left: number; right: number; top: number; bottom: number }
    const root = document.documentElement
    const problems: string[] = []
    if (root.scrollWidth > root.clientWidth)
      problems.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth} px`)
    const boxes = [...document.body.querySelectorAll<HTMLElement>('*')].flatMap(boxOf)
    for (const { name, left, right } of boxes)
      if (left < -1 || right > root.clientWidth + 1) problems.push(`${name} reaches from ${left} to ${right}`)
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        if (overlap(one, other)) problems.push(`${one.name} overlaps ${other.name}`)
    return problems

    /** Of an element with a text of its own, or one to act on, that can be seen where it is. */
    function boxOf(element: HTMLElement): Box[] {
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      const isControl = element.matches('a, button, input, select, textarea, summary')
      if ((texts.length === 0 && !isControl) || element.closest('svg, [inert], option')) return []
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
      if (isApart(element)) return []
      const range = document.createRange()
      range.selectNodeContents(element)
      const text = (element.textContent ?? '').trim().slice(0, 30)
      const name = `<${element.localName} class="${element.className}"> "${text}"`
      // A text that is broken into lines has a box for each.
      const rectangles = isControl ? [element.getBoundingClientRect()] : [...range.getClientRects()]
      return rectangles
        .map((rectangle) => ({ name, element, ...clipped(element, rectangle) }))
        .filter(({ left, right, top, bottom }) => right - left > 2 && bottom - top > 2)
    }
    /** The part that is seen: long texts are cut off by what they stand in. */
    function clipped(element: Element, { left, right, top, bottom }: DOMRect) {
      let seen = { left, right, top, bottom }
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        if (!/hidden|clip/.test(getComputedStyle(at).overflow)) continue
        const box = at.getBoundingClientRect()
        seen = {
          left: Math.max(seen.left, box.left),
          right: Math.min(seen.right, box.right),
          top: Math.max(seen.top, box.top),
          bottom: Math.min(seen.bottom, box.bottom),
        }
      }
      return seen
    }
    /** In something that scrolls by itself, or that stands still above what scrolls. */
    function isApart(element: Element): boolean {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { position, overflowX, clip } = getComputedStyle(at)
        if (position === 'fixed' || position === 'sticky' || /auto|scroll/.test(overflowX)) return true
        if (clip !== 'auto') return true
      }
      return false
    }
    function overlap(one: Box, other: Box): boolean {
      if (one.element.contains(other.element) || other.element.contains(one.element)) return false
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      return width > 2 && height > 2
    }
  })
  assert.deepEqual(found, [], `at ${page.url()}`)
}

/** Presses Tab until this is focused, as one would who has no mouse, and checks that the focus can be seen. */
export async function tabTo(page: Page, target: Locator, { key = 'Tab', max = 100 } = {}) {
  for (let pressed = 0; pressed < max; pressed++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      const isVisible = await target.evaluate((element) => element.matches(':focus-visible'))
      assert.ok(isVisible, 'the focus cannot be seen')
      return
    }
    await page.keyboard.press(key)
  }
  assert.fail(`${max} times ${key} did not reach ${target.toString()}`)
}

/** Tab to it, then Enter. */
export async function pressByKeyboard(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** A network like a phone's at the edge of a village. */
export async function slowDown(page: Page, { latencyMs = 800, bytesPerSecond = 30_000 } = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}
