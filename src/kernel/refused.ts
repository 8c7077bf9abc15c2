import type { Text } from '#contract/errors.ts'

/** Why something that a person starts is refused, for that person. `message` is for the log. */
export class Refused extends Error {
  readonly text: Text

  constructor(text: Text) {
    super(text.en)
    this.text = text
  }
}
