/** At most so many bytes of UTF-8, whole lines where there are any, never half a letter. */
export function cutText(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  const line = whole.lastIndexOf(0x0a, bytes - 1)
  if (line > 0) return whole.toString('utf8', 0, line + 1)
  let end = bytes
  // 10xxxxxx: not the first byte of a letter.
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end--
  return whole.toString('utf8', 0, end)
}
