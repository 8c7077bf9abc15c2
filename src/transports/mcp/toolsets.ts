// What a connection is offered. An offer is not a right: each tool's `callers` says who may call it; this decides what a model sees.
import type { Caller } from '#contract/caller.ts'
import { CoreError, quoted } from '#contract/errors.ts'
import { TOOLSETS } from '#contract/toolsets.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Work } from '#contract/toolsets.ts'
import type { Toolset } from '#kernel/tool.ts'
import type { Hub } from '../hub.ts'

/** Every tool costs each conversation its description: these are only for clients that ask for them. */
const ASKED_FOR: readonly Toolset[] = ['runner', 'legacy', 'planning', 'review']
const USUAL: Offer = { toolsets: TOOLSETS.filter(toolset => !ASKED_FOR.includes(toolset)) }

/**
 * Decided by the credential, not by the agent that signs in later. A program that we started does not choose: it gets the tools of
 * its work and what it was given, and can only ask for less. All other clients get what they ask for.
 */
export async function offerFor<S>(hub: Hub<S>, opener: Caller, query: URLSearchParams): Promise<Offer> {
  const asked = parseToolsets(query.get('toolsets'))
  const work = workOf(opener)
  if (work) return { work, toolsets: await hub.toolsets.given(opener), ...(asked && { within: asked }) }
  if (asked) return { toolsets: asked }
  return query.has('registered') ? { toolsets: hub.toolsets.registered() } : USUAL
}

/** Resources and prompts belong to the toolset `projects`. */
export function hasResources({ toolsets, within }: Offer): boolean {
  return toolsets.includes('projects') && within?.includes('projects') !== false
}

/** `a,b` as given; undefined when nothing is. */
export function parseToolsets(given: string | null): readonly Toolset[] | undefined {
  if (given === null || given === '') return undefined
  const names = given.split(',').map(name => name.trim())
  const unknown = names.find(name => !(TOOLSETS as readonly string[]).includes(name))
  const shown = JSON.stringify(quoted(unknown ?? ''))
  if (unknown !== undefined)
    throw CoreError.INVALID_ARGUMENT({
      reason: {
        en: `Toolset ${shown} not found. Use any of ${TOOLSETS.join(', ')}.`,
        ja: `ツールセット ${shown} はありません。使えるのは ${TOOLSETS.join(', ')} です。`,
      },
    })
  return TOOLSETS.filter(toolset => names.includes(toolset))
}

function workOf(opener: Caller): Work | undefined {
  switch (opener.kind) {
    case 'starter':
    case 'agent':
      return 'instance'
    case 'run':
      if (opener.work === 'review') return 'review'
      // Memory and phases are a project's.
      return opener.projectId === null ? 'lone-run' : 'run'
    case 'tab':
      return 'tab'
    default:
      return undefined
  }
}
