/** A part of the address as text. People cut addresses short: what cannot be decoded is taken as it stands, and nothing is found there. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // A % without its digits.
  }
}
