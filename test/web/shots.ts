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

/** What is open now. */
export async function looksRight(page: Page, { theme, lang, width }: Look, name: string): Promise<void> {
  const file = `${name}-${theme}-${lang}-${width}`
  await atRest(page)
  await page.screenshot({ path: join(SHOTS, `${file}.png`), animations: 'disabled' })
  const sizes = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  expect(sizes[0], `${file}: scrolls sideways`).toBeLessThanOrEqual(sizes[1])
  expect(await axe(page), file).toEqual([])
  expect(await axeInOtherTheme(page, theme), file).toEqual([])
}
