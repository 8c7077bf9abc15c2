/** A fence for Markdown that is longer than any inside of the text: nothing in it can end it. */
export function fenceFor(text: string): string {
  let longest = 2
  // One by one: a text has more runs than a call can take arguments.
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}
