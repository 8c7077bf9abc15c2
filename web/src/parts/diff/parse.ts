// Reads what `git diff` writes. Pure: text in, files with their hunks out. What git left out is said, never guessed.

export type DiffLine = {
  kind: 'same' | 'add' | 'del'
  /** Its number before and now; null on the side that does not have it. */
  old: number | null
  now: number | null
  text: string
  /** The file ends with it, without a line break. */
  isOpen?: boolean
}

export type Hunk = { old: number; now: number; heading: string; lines: DiffLine[] }

export type FileDiff = {
  path: string
  /** The path it had before; null: the same. */
  from: string | null
  status: 'added' | 'deleted' | 'renamed' | 'modified'
  /** Before and now, where it changed. */
  modes: [old: string, now: string] | null
  /** Now, or before where it was deleted; null where git does not say. */
  mode: string | null
  /** Of its content before and now, as git names it; null where git does not say. */
  ids: string | null
  isBinary: boolean
  /** What git has of it is a pointer to a large file elsewhere (git LFS). */
  isPointer: boolean
  /** The text ended in the middle of it. */
  isCut: boolean
  /** The text ended before it. */
  isMissing?: boolean
  hunks: Hunk[]
  added: number
  removed: number
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?([^]*)$/

const POINTER = /^(?:version https:\/\/git-lfs\.github\.com\/spec\/v1|oid sha256:[0-9a-f]{64})$/

export function parseDiff(text: string): FileDiff[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const files = new Map<string, FileDiff>()
  for (let at = 0; at < lines.length; ) {
    const first = lines[at++] ?? ''
    if (!first.startsWith('diff --git ')) continue
    const file = newFile(first.slice('diff --git '.length))
    while (at < lines.length && !/^(@@ |diff --git )/.test(lines[at] ?? '')) readHeader(file, lines[at++] ?? '')
    for (let head = HUNK.exec(lines[at] ?? ''); head; head = HUNK.exec(lines[at] ?? '')) {
      at = readHunk(file, head, lines, at + 1)
      if (file.isCut) break
    }
    file.isPointer =
      file.hunks[0]?.lines.some(({ now, old, text }) => (now ?? old ?? 0) <= 2 && POINTER.test(text)) ?? false
    const before = files.get(file.path)
    files.set(file.path, before ? typeChange(before, file) : file)
  }
  return [...files.values()]
}

/** Of a file that became a link, or the other way round, git writes two: the one that is gone and the one that is new. */
function typeChange(gone: FileDiff, now: FileDiff): FileDiff {
  return {
    ...now,
    status: 'modified',
    modes: gone.mode !== null && now.mode !== null ? [gone.mode, now.mode] : null,
    ids: [gone.ids, now.ids].join(),
    isBinary: gone.isBinary || now.isBinary,
    isPointer: gone.isPointer || now.isPointer,
    isCut: gone.isCut || now.isCut,
    hunks: [...gone.hunks, ...now.hunks],
    added: gone.added + now.added,
    removed: gone.removed + now.removed,
  }
}

/** Both names are the same where nothing below says otherwise. */
function newFile(names: string): FileDiff {
  const quoted = /^"((?:[^"\\]|\\.)*)" /.exec(names)?.[0]
  const first = quoted === undefined ? names.slice(0, (names.length - 1) / 2) : quoted.trimEnd()
  return {
    ...{ path: nameIn(first), from: null, status: 'modified', modes: null, mode: null, ids: null },
    ...{ isBinary: false, isPointer: false, isCut: false, hunks: [], added: 0, removed: 0 },
  }
}

function readHeader(file: FileDiff, line: string): void {
  const [, word = '', rest = ''] =
    /^(old mode|new mode|deleted file mode|new file mode|index|rename from|rename to|copy from|copy to|---|\+\+\+|Binary files|GIT binary patch)(?: ([^]*))?$/.exec(
      line,
    ) ?? []
  if (word === 'old mode') file.modes = [rest, rest]
  if (word === 'new mode') file.modes = [file.modes?.[0] ?? rest, rest]
  if (word === 'new mode' || word === 'new file mode' || word === 'deleted file mode') file.mode = rest
  if (word === 'index') {
    const [ids = '', mode] = rest.split(' ')
    Object.assign(file, { ids, mode: mode ?? file.mode })
  }
  if (word === 'deleted file mode') file.status = 'deleted'
  if (word === 'new file mode' || word === 'copy from') file.status = 'added'
  if (word === 'rename from') Object.assign(file, { from: unquoted(rest), status: 'renamed' })
  if (word === 'rename to' || word === 'copy to') file.path = unquoted(rest)
  if (word === 'Binary files' || word === 'GIT binary patch') file.isBinary = true
  if ((word === '---' || word === '+++') && rest !== '/dev/null' && file.from === null)
    file.path = nameIn(rest.replace(/\t$/, ''))
}

/** Reads as many lines as its head counts, whatever they look like. Answers where it ends. */
function readHunk(file: FileDiff, head: RegExpExecArray, lines: readonly string[], start: number): number {
  let [old, now] = [Number(head[1]), Number(head[3])]
  let [oldLeft, nowLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)]
  const hunk: Hunk = { old, now, heading: head[5] ?? '', lines: [] }
  file.hunks.push(hunk)
  let at = start
  for (; at < lines.length && (oldLeft > 0 || nowLeft > 0 || lines[at]?.startsWith('\\')); at++) {
    const line = lines[at] ?? ''
    const [sign, text] = [line.charAt(0), line.slice(1)]
    const last = hunk.lines.at(-1)
    if (sign === '\\' && last) last.isOpen = true
    else if (sign === '+') {
      hunk.lines.push({ kind: 'add', old: null, now: now++, text })
      file.added++
      nowLeft--
    } else if (sign === '-') {
      hunk.lines.push({ kind: 'del', old: old++, now: null, text })
      file.removed++
      oldLeft--
    } else {
      hunk.lines.push({ kind: 'same', old: old++, now: now++, text })
      oldLeft--
      nowLeft--
    }
  }
  if (oldLeft > 0 || nowLeft > 0) file.isCut = true
  return at
}

function nameIn(text: string): string {
  return unquoted(text).replace(/^[ab]\//, '')
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Names with quotes, tabs or line breaks stand in quotes, as in C. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  const encoder = new TextEncoder()
  const bytes: number[] = []
  for (const [, escaped, octal, plain] of text.slice(1, -1).matchAll(/\\([abtnvfr"\\])|\\([0-7]{3})|([^\\])/gu))
    bytes.push(...(escaped ? [ESCAPES[escaped] ?? 0] : octal ? [Number.parseInt(octal, 8)] : encoder.encode(plain)))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/**
 * What a file looked like when it was marked as seen: with another content it is unseen again. Where git gives no ids (the file is not in
 * the text, or only its name or mode changed), the commit that is shown stands for its content.
 */
export function lookOf({ ids, mode, modes, status, from, added, removed }: FileDiff, commit: string | null): string {
  const content = ids ?? `${commit ?? ''}+${added}-${removed}`
  return [status, from ?? '', modes?.join() ?? mode ?? '', content].join(' ')
}
