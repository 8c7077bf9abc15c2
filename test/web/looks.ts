/**
 * Each pair of theme, language and width once. What is looked at in the other theme of each, too, is seen in all eight
 * (axeInOtherTheme).
 */
export const LOOKS = [
  { theme: 'light', lang: 'en', width: 1440, height: 900 },
  { theme: 'dark', lang: 'ja', width: 1440, height: 900 },
  { theme: 'light', lang: 'ja', width: 390, height: 844 },
  { theme: 'dark', lang: 'en', width: 390, height: 844 },
] as const
