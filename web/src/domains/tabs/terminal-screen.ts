// One terminal of the page: xterm, its socket and its size. React gives it a place to stand and hears what happens.
import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import { createStore } from '../../hub/store.ts'
import { type Size, TerminalLine, type TerminalState } from '../../hub/terminal-line.ts'
import { Contexts, type Drawer } from './contexts.ts'
import { linkProvider } from './links.ts'
import { copied, isTyping, pasteAsks } from './model.ts'
import { stampStyles } from './nonce.ts'
import { currentTheme, monospace, onTheme } from './terminal-look.ts'
import { local } from '../../hub/kept.ts'

export type Shown = {
  state: TerminalState
  size: Size | undefined
  /** Not the one that this window would have. */
  isForeign: boolean
  /** The address under the mouse. */
  address: string | undefined
}

export type ScreenEvents = {
  leave(): void
  find(): void
  /** Answers whether it shall be typed all the same. */
  ask(text: string): Promise<boolean>
  refused(): void
}

stampStyles()

const HIDDEN_MS = 30_000
const ENTER_MS = 120
const FONT = { usual: 13, phone: 12, least: 6 }
const PLACE = {
  own: 'h-full w-full min-w-0 overflow-hidden',
  /** Of another window's size: in the middle of the room that there is. */
  foreign: 'flex h-full w-full min-w-0 items-center-safe justify-center-safe overflow-hidden',
}
const encoder = new TextEncoder()
const contexts = new Contexts()
/** For those who hear the page. Kept by the browser. */
export const readerMode = createStore(local.getItem('toryo.terminal.reader') === 'on')

export class TerminalScreen {
  readonly shown = createStore<Shown>({ state: 'connecting', size: undefined, isForeign: false, address: undefined })
  readonly element = document.createElement('div')
  readonly search = new SearchAddon()
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #line: TerminalLine
  readonly #observer = new ResizeObserver(() => this.#measure())
  /** In a long grid, those that are scrolled out of sight draw with elements. */
  readonly #sight = new IntersectionObserver(seen => {
    if (seen.at(-1)?.isIntersecting === true) void contexts.take(this.#drawer)
    else contexts.give(this.#drawer)
  })
  readonly #drawer: Drawer = { start: lost => this.#startDrawing(lost) }
  readonly #cleanUp: (() => void)[] = []
  readonly #gone: () => void
  #events: ScreenEvents | undefined
  /** What would fill the room. */
  #wanted: Size | undefined
  /** What it asked for last; it is the terminal's as long as no other window asks. */
  #claimed: Size | undefined
  #isMine = false
  #hiding: ReturnType<typeof setTimeout> | undefined
  #isOpen = false

  constructor(tabId: string, gone: () => void) {
    this.#gone = gone
    this.element.className = PLACE.own
    const terminal = new Terminal({
      scrollback: 5000,
      allowProposedApi: true,
      fontFamily: monospace(),
      fontSize: fontSize(),
      lineHeight: 1.15,
      theme: currentTheme(),
      // Programs take a dark ground for granted; on a light one their colours are made to be read.
      minimumContrastRatio: 4.5,
      screenReaderMode: readerMode.get(),
      cursorInactiveStyle: 'outline',
      linkHandler: {
        activate: (event, address) => {
          if (event.ctrlKey || event.metaKey) openAddress(address)
        },
        hover: (_, address) => this.#set({ address }),
        leave: () => this.#set({ address: undefined }),
      },
    })
    this.#terminal = terminal
    for (const addon of [this.#fit, this.search, new Unicode11Addon()]) terminal.loadAddon(addon)
    terminal.unicode.activeVersion = '11'
    terminal.registerLinkProvider(
      linkProvider(terminal, { open: openAddress, point: address => this.#set({ address }) }),
    )
    terminal.attachCustomKeyEventHandler(event => this.#key(event))
    // Also what xterm itself answers to a program that asks about the terminal: no person typed that.
    terminal.onData(text => this.#send(encoder.encode(text)))
    terminal.onBinary(text => this.#send(Uint8Array.from(text, sign => sign.charCodeAt(0) & 255)))
    this.element.addEventListener('paste', event => this.#pasted(event), { capture: true })
    // Before xterm gets them, so that the size is there first. Phones and input methods send no keys of their own.
    this.element.addEventListener('keydown', event => isTyping(event) && this.#takeOver(), { capture: true })
    this.element.addEventListener('input', () => this.#takeOver(), { capture: true })
    this.element.addEventListener('focusin', () => {
      this.#claim()
      void contexts.take(this.#drawer, true)
    })
    this.#line = new TerminalLine(tabId, {
      screen: (bytes, size) => {
        terminal.reset()
        this.#resized(size)
        terminal.write(bytes)
        // The room may have changed while it was opened.
        if (this.#isMine) this.#claim()
      },
      output: bytes => terminal.write(bytes),
      resized: size => {
        this.#isMine = isSame(size, this.#claimed)
        this.#resized(size)
      },
      refused: () => this.#events?.refused(),
      state: state => this.#set({ state }),
    })
    this.#cleanUp.push(
      onTheme(() => (terminal.options.theme = currentTheme())),
      readerMode.subscribe(() => (terminal.options.screenReaderMode = readerMode.get())),
      onVisible(isVisible => (isVisible ? this.#wake() : this.#sleepLater(() => this.#line.close()))),
    )
  }

  /** Puts it into the page. */
  show(place: HTMLElement, events: ScreenEvents): void {
    this.#events = events
    place.append(this.element)
    if (!this.#isOpen) this.#terminal.open(this.element)
    this.#isOpen = true
    this.#observer.observe(this.element)
    this.#measure()
    this.#wake()
    this.#sight.observe(this.element)
  }

  /** Takes it out of the page. It stays connected for a while: people switch to and fro. */
  hide(place: HTMLElement): void {
    // Another view shows it already.
    if (this.element.parentElement !== place) return
    this.#events = undefined
    this.#observer.disconnect()
    this.#sight.disconnect()
    this.element.remove()
    contexts.give(this.#drawer)
    this.#sleepLater(() => this.dispose())
  }

  dispose(): void {
    clearTimeout(this.#hiding)
    this.#observer.disconnect()
    this.#sight.disconnect()
    this.#line.close()
    contexts.give(this.#drawer)
    for (const clean of this.#cleanUp.splice(0)) clean()
    this.#terminal.dispose()
    this.element.remove()
    this.#gone()
  }

  focus(): void {
    this.#terminal.focus()
  }

  type(text: string): void {
    this.#takeOver()
    this.#send(encoder.encode(text))
  }

  /** A line as a person types it, and Enter a moment later: programs take what comes together for a paste. */
  answer(text: string): void {
    this.type(text)
    setTimeout(() => this.type('\r'), ENTER_MS)
  }

  get arrowsAreApplication(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode
  }

  async copy(): Promise<void> {
    if (this.#terminal.hasSelection()) await navigator.clipboard.writeText(copied(this.#terminal.getSelection()))
  }

  async paste(text: string): Promise<void> {
    if (text === '') return
    const asks = pasteAsks(text, this.#terminal.modes.bracketedPasteMode)
    if (asks && !(await this.#events?.ask(text))) return
    this.#takeOver()
    this.#terminal.paste(text)
    this.focus()
  }

  /** Anything but false is the program's key. */
  #key(event: KeyboardEvent): boolean {
    if (event.isComposing || event.keyCode === 229 || event.type !== 'keydown') return true
    if (!event.ctrlKey || event.altKey || event.metaKey) return true
    if (event.key === '\\' || event.key === '¥') return this.#own(event, () => this.#events?.leave())
    if (!event.shiftKey) return true
    const key = event.key.toLowerCase()
    if (key === 'c') return this.#own(event, () => void this.copy())
    if (key === 'f') return this.#own(event, () => this.#events?.find())
    // The browser itself pastes then, which needs no permission; the text comes to #pasted.
    return key !== 'v'
  }

  #own(event: KeyboardEvent, run: () => void): boolean {
    event.preventDefault()
    event.stopPropagation()
    run()
    return false
  }

  #pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    event.preventDefault()
    event.stopPropagation()
    void this.paste(text)
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#line.send(bytes)
  }

  /** The viewer that types decides the size. */
  #takeOver(): void {
    if (!this.#isMine) this.#claim()
  }

  #wake(): void {
    if (!this.element.isConnected) return
    clearTimeout(this.#hiding)
    // Opened again after it slept: a viewer who typed meanwhile keeps their size.
    const isFirst = this.shown.get().size === undefined
    if (!isFirst || !this.#wanted) return this.#line.open()
    this.#claimed = this.#wanted
    this.#isMine = true
    this.#line.open(this.#wanted)
  }

  #sleepLater(sleep: () => void): void {
    clearTimeout(this.#hiding)
    this.#hiding = setTimeout(sleep, HIDDEN_MS)
  }

  /** The room has changed. */
  #measure(): void {
    if (this.element.clientWidth === 0 || this.element.clientHeight === 0) return
    const now = this.#terminal.options.fontSize ?? FONT.usual
    const scale = now / fontSize()
    const found = this.#fit.proposeDimensions()
    if (!found || !Number.isFinite(found.cols) || !Number.isFinite(found.rows)) return
    const wanted = {
      cols: Math.max(20, Math.floor(found.cols * scale)),
      rows: Math.max(4, Math.floor(found.rows * scale)),
    }
    this.#wanted = wanted
    const { size } = this.shown.get()
    if (!size) return this.#terminal.resize(wanted.cols, wanted.rows)
    if (this.#isMine) this.#claim()
    else this.#resized(size)
  }

  /** This window's size becomes the terminal's. */
  #claim(): void {
    const { size } = this.shown.get()
    if (!this.#wanted || !size) return
    this.#isMine = true
    this.#claimed = this.#wanted
    if (!isSame(size, this.#wanted)) this.#line.resize(this.#wanted)
  }

  /** What all who look at it have. Where that is more than there is room for, the letters are smaller. */
  #resized(size: Size): void {
    const wanted = this.#wanted ?? size
    const isForeign = !this.#isMine && !isSame(size, wanted)
    const scale = isForeign ? Math.min(1, wanted.cols / size.cols, wanted.rows / size.rows) : 1
    const font = Math.max(FONT.least, Math.floor(fontSize() * scale * 2) / 2)
    // What fits was worked out with the other letters.
    if (font !== this.#terminal.options.fontSize) requestAnimationFrame(() => this.#measure())
    this.#terminal.options.fontSize = font
    this.#terminal.resize(size.cols, size.rows)
    this.element.className = isForeign ? PLACE.foreign : PLACE.own
    this.#set({ size, isForeign })
  }

  async #startDrawing(lost: () => void): Promise<{ dispose(): void }> {
    if (!hasGraphics()) throw new Error('no graphics processor')
    const { WebglAddon } = await import('@xterm/addon-webgl')
    const addon = new WebglAddon()
    // Its cells may be of another size than those of elements.
    const measure = () => requestAnimationFrame(() => this.#measure())
    addon.onContextLoss(lost)
    this.#terminal.loadAddon(addon)
    this.#terminal.options.letterSpacing = spacing()
    measure()
    return {
      dispose: () => {
        addon.dispose()
        this.#terminal.options.letterSpacing = 0
        measure()
      },
    }
  }

  #set(change: Partial<Shown>): void {
    this.shown.set(before => ({ ...before, ...change }))
  }
}

/** WebGL that the processor has to draw itself is slower than elements. */
function hasGraphics(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!context) return false
  // Some browsers let their own emulation pass.
  const renderer = String(context.getParameter(context.RENDERER))
  const info = context.getExtension('WEBGL_debug_renderer_info')
  const unmasked = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : ''
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return !/swiftshader|llvmpipe|software|basic render/i.test(`${renderer} ${unmasked}`)
}

const isSame = (one: Size, other: Size | undefined): boolean => one.cols === other?.cols && one.rows === other.rows

/** Drawn by WebGL, a letter is as wide as its whole pixels: where most of one would be lost, letters get one more. */
function spacing(): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = `${fontSize()}px ${monospace()}`
  const width = context.measureText('W').width * devicePixelRatio
  return width % 1 > 0.5 ? 1 : 0
}

const fontSize = (): number => (window.innerWidth < 768 ? FONT.phone : FONT.usual)

function openAddress(address: string): void {
  if (/^https?:\/\//.test(address)) window.open(address, '_blank', 'noopener,noreferrer')
}

function onVisible(listener: (isVisible: boolean) => void): () => void {
  const changed = () => listener(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

const screens = new Map<string, TerminalScreen>()

/** The one of this tab. A terminal that was shown a moment ago is still there. */
export function screenOf(tabId: string): TerminalScreen {
  const there = screens.get(tabId)
  if (there) return there
  const screen = new TerminalScreen(tabId, () => screens.delete(tabId))
  screens.set(tabId, screen)
  return screen
}
