/** Each theme and language once on a wide screen and once on a phone. */
export const LOOKS = [
  { theme: 'light', lang: 'en', width: 1440 },
  { theme: 'light', lang: 'en', width: 390 },
  { theme: 'dark', lang: 'ja', width: 1440 },
  { theme: 'dark', lang: 'ja', width: 390 },
] as const
