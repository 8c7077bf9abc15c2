// Addresses in the output of a program: shown before they are opened, and opened by Ctrl-click alone.
import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm'

const ADDRESS = /https?:\/\/[^\s"'<>`|、。（）「」『』\u0000-\u001f]+/g
/** What ends a sentence is not a part of it. */
const TRAILING = /[),.;:!?\]}'、。）」』]+$/u

export type LinkEvents = { open(address: string): void; point(address: string | undefined): void }

export function addressesIn(text: string): { address: string; at: number }[] {
  return [...text.matchAll(ADDRESS)].map(({ 0: found, index }) => ({ address: found.replace(TRAILING, ''), at: index }))
}

export function linkProvider(terminal: Terminal, events: LinkEvents): ILinkProvider {
  return {
    provideLinks(y, give) {
      const { buffer, cols } = terminal
      let first = y - 1
      while (first > 0 && buffer.active.getLine(first)?.isWrapped) first--
      let text = ''
      /** Where each sign of the text stands: wide ones take two cells. */
      const cells: { x: number; y: number }[] = []
      for (let row = first; ; row++) {
        const line = buffer.active.getLine(row)
        if (!line || (row > first && !line.isWrapped)) break
        text += textOf(line, cols, (x, length) => {
          for (let index = 0; index < length; index++) cells.push({ x: x + 1, y: row + 1 })
        })
      }
      give(addressesIn(text).flatMap(({ address, at }) => linkAt(address, cells[at], cells[at + address.length - 1])))
    },
  }

  function linkAt(address: string, start: ILink['range']['start'] | undefined, end: typeof start): ILink[] {
    if (!start || !end) return []
    return [
      {
        text: address,
        range: { start, end },
        activate: event => {
          if (event.ctrlKey || event.metaKey) events.open(address)
        },
        hover: () => events.point(address),
        leave: () => events.point(undefined),
      },
    ]
  }
}

function textOf(line: IBufferLine, cols: number, place: (x: number, length: number) => void): string {
  let text = ''
  for (let x = 0; x < cols; x++) {
    const cell = line.getCell(x)
    if (!cell || cell.getWidth() === 0) continue
    const chars = cell.getChars() || ' '
    place(x, chars.length)
    text += chars
  }
  return text
}
