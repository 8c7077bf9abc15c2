import type { ApiOutput } from '#contract/api.ts'

export const TABS = ['general', 'projects', 'engines', 'registration', 'runners', 'browsers', 'doctor'] as const
export type Tab = (typeof TABS)[number]

export const tabOf = (path: string): Tab => TABS.find(tab => path === `/settings/${tab}`) ?? 'general'

/** `Chrome on macOS`, out of what a browser calls itself. Others pretend to be Chrome, and Chrome to be Safari. */
export function browserName(agent: string): string {
  const browser = [
    ['Edge', /Edg(?:e|A|iOS)?\//],
    ['Opera', /OPR\//],
    ['Firefox', /(?:Firefox|FxiOS)\//],
    ['Chrome', /(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
    ['Safari', /Safari\//],
  ].find(([, sign]) => (sign as RegExp).test(agent))?.[0] as string | undefined
  const system = [
    ['Android', /Android/],
    ['iOS', /iPhone|iPad/],
    ['Windows', /Windows/],
    ['macOS', /Mac OS X|Macintosh/],
    ['Linux', /Linux|X11/],
  ].find(([, sign]) => (sign as RegExp).test(agent))?.[0] as string | undefined
  if (browser === undefined) return agent.slice(0, 80)
  return system === undefined ? browser : `${browser} · ${system}`
}

type Doctor = ApiOutput<'doctor.run'>

/** For an issue or a colleague. */
export function reportOf({ findings }: Doctor, { version, db }: { version: string; db: string }): string {
  const lines = findings.map(({ level, check, message, fix }) => {
    const mark = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }[level]
    return `${mark} ${check}: ${message}${fix === null ? '' : `\n     -> ${fix}`}`
  })
  return [`Toryo ${version}, ${db}`, ...lines].join('\n')
}
