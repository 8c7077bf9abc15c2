// Text that an agent, a repository or another person wrote. Signs that hide or turn text around are drawn as marks.
import { Fragment } from 'react'
import { useWords } from './use-words.ts'

/** Bidirectional controls, zero-width and tag characters, and controls but for line breaks and tabs. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are what must be seen
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}])/u

/** Kana, or Chinese characters: Toryo's other language is Japanese. */
const JAPANESE = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]/

/** In an English page Japanese is marked: it is then read aloud, broken into lines and drawn as Japanese. */
export function SafeText({ text }: { text: string }) {
  const words = useWords()
  const shown = HIDDEN.test(text) ? <Marked text={text} /> : text
  return words.code !== 'ja' && JAPANESE.test(text) ? <span lang="ja">{shown}</span> : shown
}

/** The same where only text can stand: in an option, a title, a name for screen readers. */
export function marked(text: string): string {
  return HIDDEN.test(text)
    ? text.replace(new RegExp(HIDDEN, 'gu'), sign => (sign === '\r' ? '' : `[${codeOf(sign)}]`))
    : text
}

function codeOf(sign: string): string {
  return `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

function Marked({ text }: { text: string }) {
  const words = useWords()
  return text.split(new RegExp(HIDDEN, 'gu')).map((part, index) => {
    if (!HIDDEN.test(part)) return <Fragment key={index}>{part}</Fragment>
    const code = codeOf(part)
    return (
      <span key={index} title={words.hidden(code)} className="rounded-[3px] bg-kohaku-wash px-0.5 text-xs text-kohaku">
        {code}
      </span>
    )
  })
}
