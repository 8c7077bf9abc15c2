// What a bridge must know to refuse a call in the words of its tool when no hub is there: it knows no tool, and no shape of errors.
import { type ErrorForm, SENTENCE } from '#contract/error-form.ts'
import { CoreError } from '#contract/errors.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Toolset } from '#kernel/tool.ts'
import { errorBody } from '../errors.ts'
import type { Hub } from '../hub.ts'

/** As a header's value: names of tools and codes are ASCII. */
export function errorForms<S>({ registry }: Hub<S>, offer: Offer): string {
  const tools = new Map<Toolset, string[]>()
  for (const { name, toolset } of registry.offered(offer)) tools.set(toolset, [...(tools.get(toolset) ?? []), name])
  const forms: ErrorForm[] = [...tools].map(([toolset, names]) => ({
    body: errorBody(toolset, CoreError.HUB_UNAVAILABLE(), 'en', SENTENCE),
    tools: names,
  }))
  return JSON.stringify(forms)
}
