import { CoreError, cut } from '#contract/errors.ts'
import { TOOLSETS, type Toolset } from '#kernel/tool.ts'

const USUAL = TOOLSETS.filter(toolset => toolset !== 'runner' && toolset !== 'legacy')

/** `a,b` as given; everything but `runner` and `legacy` when nothing is. */
export function parseToolsets(given: string | null | undefined): readonly Toolset[] {
  if (given === null || given === undefined || given === '') return USUAL
  const names = given.split(',').map(name => name.trim())
  const unknown = names.find(name => !(TOOLSETS as readonly string[]).includes(name))
  const shown = JSON.stringify(cut(unknown ?? ''))
  if (unknown !== undefined)
    throw CoreError.INVALID_ARGUMENT({
      reason: {
        en: `There is no toolset ${shown}; there are ${TOOLSETS.join(', ')}.`,
        ja: `ツールセット ${shown} はありません。使えるのは ${TOOLSETS.join(', ')} です。`,
      },
    })
  return TOOLSETS.filter(toolset => names.includes(toolset))
}
