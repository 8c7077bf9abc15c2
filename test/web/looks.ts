/**
 * Each pair of theme, language and width once. What can go wrong depends on two of them at most: a colour on the theme and the
 * width, a line that is too long on the language and the width.
 */
export const LOOKS = [
  { theme: 'light', lang: 'en', width: 1440 },
  { theme: 'dark', lang: 'ja', width: 1440 },
  { theme: 'light', lang: 'ja', width: 390 },
  { theme: 'dark', lang: 'en', width: 390 },
] as const
