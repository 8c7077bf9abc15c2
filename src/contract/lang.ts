import type { Lang, Text } from './errors.ts'

/** The variable that chooses it, which our programs hand on to those they start. */
export const TORYO_LANG = 'TORYO_LANG'

/** TORYO_LANG, else LANG, else English. */
export function langOf(env: Record<string, string | undefined>): Lang {
  return parseLang(env[TORYO_LANG] || env['LANG'])
}

export function parseLang(value: string | null | undefined): Lang {
  return value?.trim().toLowerCase().startsWith('ja') ? 'ja' : 'en'
}

export function say(lang: Lang, text: Text): string {
  return text[lang]
}
