// Looks at views in every look: nothing that axe finds, no sideways scroll, and a picture for people: .cache/shots, or the folder
// that TORYO_SHOTS names.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ROOT } from '../../scripts/sources.js'
import { LOOKS } from './looks.ts'
import { atRest, axe, axeInOtherTheme, go, type Look, type TestPage } from './page.ts'

export const SHOTS = process.env['TORYO_SHOTS'] ?? join(ROOT, '.cache', 'shots')
mkdirSync(SHOTS, { recursive: true })

/** A name for the picture, an address, and what waits until there is something to look at. */
export type View = readonly [name: string, path: string, ready: string | ((page: Page) => Promise<unknown>)]

/**
 * Each look has one page that goes from view to view, as a person does. Loading it again for each would cost more than looking at
 * it, and axe would have to be read again.
 */
export async function lookAt(stage: TestPage, views: readonly View[]): Promise<void> {
  for (const look of LOOKS) {
    const page = await stage.open('/needs', look)
    await lookIn(page, look, views)
    await page.close()
  }
}

/** The same in one look, on a page that is open. */
export async function lookIn(page: Page, look: Look, views: readonly View[]): Promise<void> {
  for (const [name, path, ready] of views) {
    await go(page, path)
    if (typeof ready === 'string') await page.locator(ready).first().waitFor()
    else await ready(page)
    await looksRight(page, look, name)
  }
}

/** Small things that belong to what stands before them: a line with one of them alone looks broken. */
const LONE = `[
  ['[data-steps]', '[data-next]', 'button:not([data-next]), a'],
  ['[data-message]', 'button', 'time'],
  ['[data-send-line]', 'button', 'input'],
].flatMap(([place, small, neighbour]) => [...document.querySelectorAll(place)].flatMap(one => {
  const shown = selector => [...one.querySelectorAll(selector)].filter(each => each.checkVisibility())
  const middle = each => { const { top, bottom } = each.getBoundingClientRect(); return (top + bottom) / 2 }
  const isBeside = (each, other) => other.getBoundingClientRect().top < middle(each) && middle(each) < other.getBoundingClientRect().bottom
  const neighbours = shown(neighbour)
  return shown(small).filter(each => !neighbours.some(other => isBeside(each, other))).map(each => place + ': ' + each.textContent)
}))`

/** What is open now. */
export async function looksRight(page: Page, { theme, lang, width }: Look, name: string): Promise<void> {
  const file = `${name}-${theme}-${lang}-${width}`
  await atRest(page)
  await page.screenshot({ path: join(SHOTS, `${file}.png`), animations: 'disabled' })
  const sizes = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  expect(sizes[0], `${file}: scrolls sideways`).toBeLessThanOrEqual(sizes[1])
  expect(await page.evaluate(LONE), `${file}: has a line of its own`).toEqual([])
  expect(await axe(page), file).toEqual([])
  expect(await axeInOtherTheme(page, theme), file).toEqual([])
}
