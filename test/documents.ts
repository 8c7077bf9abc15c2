// What the documents point to: files, headings, and decisions by their number. Reads a folder; knows nothing of the hub.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const DECISIONS = 'docs/adr'
/** Made by other programs, or copies of their output. */
const NOT_OURS = new Set(['node_modules', 'dist', 'fixtures', 'snapshots'])

/** Links of Markdown files that lead to no file, or to no heading of it: `docs/a.md: b.md#c`. */
export function brokenLinks(root: string): string[] {
  const broken: string[] = []
  for (const file of filesIn(root, /\.md$/)) {
    for (const target of linksIn(readFileSync(path.join(root, file), 'utf8'))) {
      if (/^([a-z]+:|\/\/)/i.test(target)) continue
      const [name = '', anchor] = target.split('#')
      const to = name === '' ? file : path.join(path.dirname(file), decodeURIComponent(name))
      if (!leadsSomewhere(path.join(root, to), anchor)) broken.push(`${file}: ${target}`)
    }
  }
  return broken
}

/** Files and folders of ours that the pages for contributors name in code, and that do not exist: `docs/how-to/a.md: src/b.ts`. */
export function missingPaths(root: string): string[] {
  const pages = filesIn(root, /\.md$/).filter(file => /^(AGENTS\.md|CONTRIBUTING\.md|docs\/how-to\/)/.test(file))
  return pages.flatMap(page => {
    const prose = withoutFences(readFileSync(path.join(root, page), 'utf8'))
    const named = [...prose.matchAll(/`((?:src|test|scripts|docs|bench|bin|web)\/[^`\s]*)`/g)].map(
      ([, name = '']) => name,
    )
    // Placeholders: `src/domains/<d>/`, `test/cli*.test.ts`, `texts-….ts`.
    const exact = named.filter(name => !/[<*…]/.test(name))
    return exact.filter(name => !existsSync(path.join(root, name))).map(name => `${page}: ${name}`)
  })
}

/** Decisions that are missing from the index, that do not carry their number, or that are cited and do not exist. */
export function brokenDecisions(root: string): string[] {
  const pages = readdirSync(path.join(root, DECISIONS)).filter(name => /^\d{4}-/.test(name))
  const numbers = pages.map(page => page.slice(0, 4))
  const index = readFileSync(path.join(root, DECISIONS, 'README.md'), 'utf8')
  const broken: string[] = []
  for (const page of pages) {
    const number = page.slice(0, 4)
    const title = /^# (.*)/.exec(readFileSync(path.join(root, DECISIONS, page), 'utf8'))?.[1] ?? ''
    if (!title.startsWith(`${number} `)) broken.push(`${DECISIONS}/${page}: its title must begin with ${number}`)
    if (numbers.filter(other => other === number).length > 1)
      broken.push(`${DECISIONS}/${page}: ${number} is used twice`)
    if (!index.includes(`[${number}](${page}) | ${title.slice(5)} |`))
      broken.push(`${DECISIONS}/README.md: no line for ${page} with its title`)
  }
  for (const file of filesIn(root, /\.(md|ts|tsx|js|cjs)$/)) {
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const [cited, number = ''] of text.matchAll(/\bADR[\s/*]+(\d{4})\b/g))
      if (!numbers.includes(number)) broken.push(`${file}: ${cited}`)
    for (const [cited, page = ''] of text.matchAll(/docs\/adr\/(\d{4}(?:[\w.-]*\w)?)/g))
      if (!(pages.includes(page) || numbers.includes(page))) broken.push(`${file}: ${cited}`)
  }
  return broken
}

function leadsSomewhere(target: string, anchor: string | undefined): boolean {
  if (!existsSync(target)) return false
  if (anchor === undefined || !target.endsWith('.md')) return true
  return anchorsOf(readFileSync(target, 'utf8')).has(decodeURIComponent(anchor))
}

function linksIn(markdown: string): string[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, target = '']) => target)
}

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.*)$/gm)) {
    const text = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
    const anchor = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    let name = anchor
    for (let count = 1; anchors.has(name); count += 1) name = `${anchor}-${count}`
    anchors.add(name)
  }
  return anchors
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^ *(```+|~~~+)[\s\S]*?^ *\1/gm, '')
}

/** Relative to the root, with slashes. */
function filesIn(root: string, wanted: RegExp, folder = ''): string[] {
  return readdirSync(path.join(root, folder)).flatMap(name => {
    if (NOT_OURS.has(name) || name.startsWith('.')) return []
    const file = path.posix.join(folder, name)
    if (statSync(path.join(root, file)).isDirectory()) return filesIn(root, wanted, file)
    return wanted.test(name) ? [file] : []
  })
}
