// What a program in a terminal is doing, as far as its screen shows. Pure: a screen in, a state out. Keys that reach a dialog
// answer it, and Enter behind a person's half-typed line sends it: both must be known before anything is typed.
import type { Screen } from '#kernel/terminals/terminals.ts'

/**
 * `dialog`: a question is open that keys would answer. `typing`: a person's line stands in the prompt. `busy`: it works.
 * `idle`: its prompt is there and empty. `unknown`: none of these is certain.
 */
export type ScreenState = 'dialog' | 'typing' | 'busy' | 'idle' | 'unknown'

/** What is particular to a program. All that we know put the terminal's cursor where the next letter will be. */
export type ScreenRules = {
  /** How the line begins in which it takes text. */
  sign: RegExp
  /** What it shows as long as nothing was typed. */
  placeholder: RegExp
  /** In a line or in the title, only while it works. */
  busy: RegExp
  /** In a line or in the title, only while it asks something, besides what all programs show then. */
  dialog: RegExp
  /** In the whole screen, only while it is being loaded: its prompt is there already, and a question may still take its place. */
  loading?: RegExp
  /** Its very last line when it ends in order: how the conversation is gone on with, by its name. */
  farewell?: RegExp
}

/** How a program that has ended named its conversation. Text further up on the screen may come from anywhere. */
export function farewellOf(lines: readonly string[], rules: ScreenRules | undefined): string | undefined {
  return rules?.farewell?.exec(lines.findLast(line => line.trim() !== '') ?? '')?.[1]
}

/** Shorter, and it may just be between two drawings. */
const QUIET_MS = 300
/** Of a program whose prompt we do not know, silence is the only sign. */
const SILENCE_MS = 1500
/** A person is typing. */
const TYPING_MS = 2000
/** Where a program shows what it is doing. */
const BOTTOM = 12

export function screenState(screen: Screen, rules: ScreenRules | undefined): ScreenState {
  const prompt = rules && promptOf(screen, rules)
  if (isDialog(screen, rules, prompt)) return 'dialog'
  // A key that answered a question counts as begun until Enter; an empty prompt proves that it was not.
  const begun = screen.unsent && prompt !== 'empty'
  const hands = begun || (screen.typedMs !== null && screen.typedMs < TYPING_MS)
  if (hands || prompt === 'written') return 'typing'
  if (!rules) return ofUnknown(screen)
  if (rules.loading?.test(screen.lines.join('\n'))) return 'unknown'
  if (shows(screen, rules.busy)) return 'busy'
  return prompt === 'empty' && screen.quietMs >= QUIET_MS ? 'idle' : 'unknown'
}

/** Text that was to be sent still stands in the prompt: programs show a long one as the name of a paste. */
export function stillHolds(screen: Screen, rules: ScreenRules | undefined, text: string): boolean {
  if (!rules) return echoOf(screen, text) !== undefined
  const at = rules.sign.test(screen.lines[screen.cursor.y] ?? '') ? screen.cursor.y : lastPrompt(screen, rules)
  const content = (screen.lines[at] ?? '').replace(rules.sign, '').trim()
  return content.startsWith(text.slice(0, 12)) || /^\[Pasted\b/iu.test(content)
}

/** Whether Enter, with this text just pasted, would answer a question instead of sending it. The text may look like one itself. */
export function enterAnswers(screen: Screen, rules: ScreenRules | undefined, text: string): boolean {
  if (!rules) return asksBeside(screen, text)
  if (promptOf(screen, rules) === 'written' && stillHolds(screen, rules, text)) return rules.dialog.test(screen.title)
  return screenState(screen, rules) === 'dialog'
}

/** Of a program whose prompt we do not know: a question in what is not the text itself. */
function asksBeside(screen: Screen, text: string): boolean {
  const echo = echoOf(screen, text)
  const said = bare(text)
  const isEcho = (line: string, y: number) => (echo ? y >= echo.first && y <= echo.last : said.includes(bare(line)))
  const beside = screen.lines.filter((line, y) => line.trim() !== '' && !isEcho(line, y))
  // What it shows of the text may be shortened or framed in a way that is not recognised: then this is no question of its own.
  return asks(beside.slice(-BOTTOM)) && (echo !== undefined || !asks([text]))
}

/** The rows that end with the text at the cursor, whatever stands before it, and however it is framed and broken. */
function echoOf({ lines, cursor }: Screen, text: string): { first: number; last: number } | undefined {
  const said = bare(text)
  let shown = bare(upTo(lines[cursor.y] ?? '', cursor.x))
  for (let first = cursor.y; first >= 0; shown = bare(lines[--first] ?? '') + shown) {
    if (shown.endsWith(said)) return { first, last: cursor.y }
    if (shown.length > said.length) return undefined
  }
  return undefined
}

function bare(text: string): string {
  return text.replaceAll(/[\s│┃|]/gu, '')
}

function promptOf(screen: Screen, rules: ScreenRules): 'empty' | 'written' | undefined {
  const { cursor, lines } = screen
  const line = lines[cursor.y] ?? ''
  const before = upTo(line, cursor.x)
  if (rules.sign.test(before) && !isChoice(line)) {
    if (before.replace(rules.sign, '').trim() !== '') return 'written'
    const rest = line.replace(rules.sign, '').trim()
    // A person may have moved back to the beginning of their text.
    return rest === '' || rules.placeholder.test(rest) ? 'empty' : 'written'
  }
  // What was written may have more than one line.
  const first = lastPrompt(screen, rules)
  if (first === -1 || cursor.y <= first) return undefined
  const between = lines.slice(first + 1, cursor.y + 1)
  const written = (lines[first] ?? '').replace(rules.sign, '').trim() !== ''
  return written && between.every(part => /^\s*\S/u.test(part)) && before.trim() !== '' ? 'written' : undefined
}

function lastPrompt(screen: Screen, rules: ScreenRules): number {
  return screen.lines.findLastIndex(line => rules.sign.test(line) && !isChoice(line))
}

/** `❯ 1. Yes`, `● 2) No`, `> [x] …`, `▶ Allow`: an answer with the mark of where the selection is. */
const MARKED =
  /^[\s│┃|]*(?:[❯›▶→●◉>*»]\s*(?:\d+[.)]\s|\[[ x]\]|\([ •x]\))|[❯›▶→●◉»]\s*(?:yes|no|allow|deny|cancel)\b)/iu
const NUMBERED = /^[\s│┃|]*(?:[❯›▶→●◉○◯>*»-]\s*)?\d+[.)]\s+\S/u
/** `1. Yes  2. No` */
const INLINE = [/\b1[.)]\s*\S/u, /\b2[.)]\s*\S/u] as const
/** `  No`, beside one that has the mark. */
const WORD = /^[\s│┃|]*(?:yes|no|allow|deny|cancel)\b.{0,40}$/iu
const ANSWER_WORDS =
  /\b(?:yes|no|allow|deny|reject|accept|approve|cancel|proceed|continue|trust|exit|quit|skip)\b|はい|いいえ|許可|拒否/iu
const QUESTION =
  /[([]\s*y(?:es)?\s*[/|]\s*n(?:o)?\s*[)\]]|\bpress (?:enter|return|any key)\b|\b(?:enter|return) to (?:confirm|continue|select)\b|\besc(?:ape)? to (?:cancel|exit|reject)\b(?!,)|\bwaiting for (?:your )?(?:confirmation|approval)\b|\b(?:enter|return)\s?(?:キー)?\s?で(?:確定|決定|続行)/iu

function isChoice(line: string): boolean {
  return MARKED.test(line)
}

/** The first of them, then a second: in one pattern, each first one would look for its second to the end of the line. */
function isInline(line: string): boolean {
  const [first, second] = INLINE
  const at = line.search(first)
  return at !== -1 && second.test(line.slice(at + 2))
}

function isDialog(screen: Screen, rules: ScreenRules | undefined, prompt: 'empty' | 'written' | undefined): boolean {
  if (rules && (rules.dialog.test(screen.title) || lastBox(screen, rules).some(line => rules.dialog.test(line))))
    return true
  // While a question is open, the cursor is not in the prompt; what looks like one was said before.
  if (prompt !== undefined) return false
  const lines = filled(screen)
  if (rules) {
    const last = lines.findLastIndex(line => rules.sign.test(line) && !isChoice(line))
    const below = lines.slice(last + 1)
    return below.some(line => rules.dialog.test(line) || isChoice(line)) || asks(below)
  }
  return asks(lines.slice(-BOTTOM))
}

/** Some draw their questions in the frame of their prompt. */
function lastBox({ lines }: Screen, { sign }: ScreenRules): string[] {
  const end = lines.findLastIndex(line => sign.test(line))
  const start = lines.slice(0, end + 1).findLastIndex(line => !sign.test(line))
  return lines.slice(start + 1, end + 1)
}

/** Whatever program it is: a question of the usual form, or answers to choose from. */
function asks(lines: readonly string[]): boolean {
  if (lines.some(line => QUESTION.test(line))) return true
  const marked = lines.some(isChoice)
  const answers = lines.filter(
    line => isChoice(line) || NUMBERED.test(line) || isInline(line) || (marked && WORD.test(line)),
  )
  const several = answers.length > 1 || answers.some(isInline)
  return several && answers.some(line => ANSWER_WORDS.test(line))
}

function shows(screen: Screen, sign: RegExp): boolean {
  return (
    sign.test(screen.title) ||
    filled(screen)
      .slice(-BOTTOM)
      .some(line => sign.test(line))
  )
}

function filled(screen: Screen): string[] {
  return screen.lines.filter(line => line.trim() !== '')
}

function ofUnknown(screen: Screen): ScreenState {
  const line = screen.lines[screen.cursor.y] ?? ''
  const before = upTo(line, screen.cursor.x)
  if (HALF_TYPED.test(before)) return 'typing'
  const prompt = EMPTY.test(before) && line.trim() === before.trim()
  return screen.quietMs >= (prompt ? QUIET_MS : SILENCE_MS) ? 'idle' : 'unknown'
}

/** A usual sign of a prompt, and something behind it. */
const HALF_TYPED = /^[\s│┃|]*(?:\S{0,60}\s?)?[>❯›$%#»➜]\s+\S/u

const EMPTY = /^[\s│┃|]*(?:\S{0,60}\s?)?[>❯›$%#»➜]\s*$/u

/** The part of a line that is left of a column: wide letters take two. */
function upTo(line: string, column: number): string {
  let text = ''
  let width = 0
  for (const point of line) {
    width += WIDE.test(point) ? 2 : /^\p{M}$/u.test(point) ? 0 : 1
    if (width > column) break
    text += point
  }
  return text
}

const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]$/u
