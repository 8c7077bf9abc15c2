// Paths as text. Git's are bytes, mostly UTF-8. A byte that is not is written as `\xe9`, in this one form from here to the database and
// the page, and a name that has such signs itself has `\x5c` for its backslash, so that the bytes can be had back.
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'

const ESCAPED = /\\x(5c|[89a-f][0-9a-f])/g
const LOOKS_ESCAPED = /\\(?=x(?:5c|[89a-f][0-9a-f]))/g

/** Also of many names with zeros between them. */
export function textOf(bytes: Buffer): string {
  const plain = (part: Buffer) => part.toString('utf8').replace(LOOKS_ESCAPED, '\\x5c')
  if (isUtf8(bytes)) return plain(bytes)
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    if (length === 0) {
      text += `${plain(bytes.subarray(from, at))}\\x${(bytes[at] as number).toString(16)}`
      from = at + 1
    }
    at += length || 1
  }
  return text + plain(bytes.subarray(from))
}

/** How many bytes the sign has that begins here; none where it is not UTF-8. */
function lengthAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0x80) return 1
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

export function bytesOf(text: string): Buffer {
  if (!text.includes('\\x')) return Buffer.from(text)
  const parts = text.split(ESCAPED)
  return Buffer.concat(parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex'))))
}

/** Whether a command line, which is text, can name it. */
export function isPlain(path: string): boolean {
  return path.search(ESCAPED) < 0
}

/** The fields of what git said, which it ends with zeros. The last one is incomplete when the output was cut. */
export function fieldsOf(bytes: Buffer, cut = false): string[] {
  const fields = textOf(bytes).split('\0')
  const last = fields.pop()
  if (last && !cut) fields.push(last)
  return fields
}

/** A path below a folder, as the file system has it. */
export function fileAt(root: string | Buffer, path: string): string | Buffer {
  if (typeof root === 'string' && isPlain(path)) return join(root, path)
  return Buffer.concat([Buffer.from(root), Buffer.from('/'), bytesOf(path)])
}

/** A patch: the names in its headers as everywhere, the lines of its files as they are. */
export function patchText(patch: Buffer): string {
  if (isUtf8(patch)) return patch.toString('utf8')
  let text = ''
  for (let at = 0; at < patch.length; ) {
    const isHeader = patch.subarray(at, at + HEADER.length).equals(HEADER)
    const end = isHeader ? endOfHeader(patch, at) : startOfHeader(patch, at)
    const part = patch.subarray(at, end)
    text += isHeader ? textOf(part) : part.toString('utf8')
    at = end
  }
  return text
}

const HEADER = Buffer.from('diff --git ')

function startOfHeader(patch: Buffer, from: number): number {
  const at = patch.indexOf(`\n${HEADER.toString()}`, from)
  return at < 0 ? patch.length : at + 1
}

/** Its lines begin with letters, or are the two names of the file. */
function endOfHeader(patch: Buffer, from: number): number {
  for (let at = from; ; ) {
    const end = patch.indexOf(0x0a, at)
    if (end < 0) return patch.length
    at = end + 1
    if (patch[at] === 0x40 || patch.subarray(at, at + HEADER.length).equals(HEADER)) return at
  }
}
