/** Gives a text to the browser as a download. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** One object a line. */
export const asLines = (objects: readonly object[]) => objects.map(one => `${JSON.stringify(one)}\n`).join('')
