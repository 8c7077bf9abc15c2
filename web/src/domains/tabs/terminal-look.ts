// The colours of terminals: those of the page, and sixteen more that can be read on them.
import type { ITheme } from '@xterm/xterm'

const LIGHT: ITheme = {
  ...{ background: '#fffdf9', foreground: '#1f2126', cursor: '#2b4a78', cursorAccent: '#fffdf9' },
  ...{ selectionBackground: '#c9d6ea', selectionInactiveBackground: '#e4eaf4' },
  ...{ black: '#1f2126', red: '#b3361f', green: '#2f6b46', yellow: '#80580c' },
  ...{ blue: '#2b4a78', magenta: '#6b4a86', cyan: '#1d6470', white: '#857d6d' },
  ...{ brightBlack: '#5a564e', brightRed: '#c2401f', brightGreen: '#387d53', brightYellow: '#946a18' },
  ...{ brightBlue: '#365f9c', brightMagenta: '#7e589d', brightCyan: '#237584', brightWhite: '#5a564e' },
  ...{ scrollbarSliderBackground: '#857d6d59', scrollbarSliderHoverBackground: '#857d6d99' },
}

const DARK: ITheme = {
  ...{ background: '#121317', foreground: '#ebe6db', cursor: '#9db8e4', cursorAccent: '#121317' },
  ...{ selectionBackground: '#34466a', selectionInactiveBackground: '#222c40' },
  ...{ black: '#30343d', red: '#f0917c', green: '#8ccb9f', yellow: '#e0b35c' },
  ...{ blue: '#9db8e4', magenta: '#c7a9dd', cyan: '#86c7d0', white: '#d6d1c6' },
  ...{ brightBlack: '#8b8f98', brightRed: '#f7ab99', brightGreen: '#a8dcb7', brightYellow: '#eec981' },
  ...{ brightBlue: '#b9cdee', brightMagenta: '#d9c2ea', brightCyan: '#a5d9e0', brightWhite: '#fffdf9' },
  ...{ scrollbarSliderBackground: '#6f768259', scrollbarSliderHoverBackground: '#6f768299' },
}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

export function currentTheme(): ITheme {
  const chosen = document.documentElement.dataset['theme']
  const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark.matches)
  return isDark ? DARK : LIGHT
}

export function onTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  prefersDark.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    prefersDark.removeEventListener('change', listener)
  }
}

/** The page's own fonts for code, as the browser knows them. */
export const monospace = (): string => getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim()
