// Intl's formatters, each made once: making one takes as long as some fifty uses of it.
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

export function numberFormat(lang: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = lang + JSON.stringify(options)
  const known = numbers.get(key) ?? new Intl.NumberFormat(lang, options)
  numbers.set(key, known)
  return known
}

export function dateFormat(lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = lang + JSON.stringify(options)
  const known = dates.get(key) ?? new Intl.DateTimeFormat(lang, options)
  dates.set(key, known)
  return known
}
