// Looks at one view in the looks that differ most: nothing that axe finds, no sideways scroll, and a picture for people.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ROOT } from '../../scripts/sources.js'
import { axe, axeInOtherTheme, type Look, type TestPage } from './page.ts'

const FOLDER = process.env['TORYO_SHOTS'] ?? join(ROOT, '.cache', 'shots')
mkdirSync(FOLDER, { recursive: true })

const LOOKS: Look[] = [
  { theme: 'light', lang: 'en', width: 1440, height: 900 },
  { theme: 'dark', lang: 'ja', width: 1440, height: 900 },
  { theme: 'light', lang: 'en', width: 390, height: 844 },
  { theme: 'dark', lang: 'ja', width: 390, height: 844 },
]

/** `ready` waits until there is something to look at. */
export async function lookAt(
  stage: TestPage,
  views: readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>][],
): Promise<void> {
  for (const look of LOOKS) {
    const page = await stage.open('/needs', look)
    for (const [name, path, ready] of views) {
      await page.goto(`${stage.hub.url}${path}`)
      await page.locator('[data-line=live]').waitFor()
      await ready(page)
      const file = `${name}-${look.theme}-${look.lang}-${look.width}`
      await page.screenshot({ path: join(FOLDER, `${file}.png`), animations: 'disabled' })
      const sizes = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
      expect(sizes[0], `${file}: scrolls sideways`).toBeLessThanOrEqual(sizes[1])
      expect(await axe(page), file).toEqual([])
      expect(await axeInOtherTheme(page, look.theme), file).toEqual([])
    }
    await page.close()
  }
}
