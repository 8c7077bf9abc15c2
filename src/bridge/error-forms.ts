// How the tools of this connection refuse a call, as the last hub has said it: for calls that no hub can answer.
import { type ErrorForm, SENTENCE } from '#contract/error-form.ts'

export class ErrorForms {
  #bodies = new Map<string, string>()

  /** What is not understood, as from a hub of another version, changes nothing: the client has its list of tools from an earlier one. */
  learn(header: string): void {
    try {
      const forms = JSON.parse(header) as ErrorForm[]
      this.#bodies = new Map(
        forms.flatMap(({ body, tools }) => tools.map(tool => [plain(tool), JSON.stringify(body)] as const)),
      )
    } catch {
      // See above.
    }
  }

  /** The sentence alone where nothing is known of the tool. */
  bodyFor(tool: unknown, sentence: string): string {
    const body = typeof tool === 'string' ? this.#bodies.get(plain(tool)) : undefined
    return body?.replace(JSON.stringify(SENTENCE), () => JSON.stringify(sentence)) ?? sentence
  }
}

/** Both spellings of a name answer. */
function plain(name: string): string {
  return name.replaceAll('-', '_')
}
