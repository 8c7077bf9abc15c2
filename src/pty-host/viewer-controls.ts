// What one viewer does to a terminal: what it types, and how large its window is. The window used last decides the size.
import type { Size } from '#kernel/terminals/terminals.ts'
import type { Viewer } from './fan-out.ts'
import type { Hosted } from './hosted.ts'
import { ViewerInput } from './viewer-input.ts'

export type ControlsOptions = {
  /** The terminal has that size before it is shown. */
  size: Size | undefined
  /** Something that was typed did not reach the program. */
  refused: () => void
}

export class ViewerControls {
  readonly #hosted: Hosted
  readonly #input: ViewerInput
  readonly #leave: () => void
  #size: Size | undefined

  constructor(hosted: Hosted, viewer: Viewer, { size, refused }: ControlsOptions) {
    this.#hosted = hosted
    this.#size = size
    this.#input = new ViewerInput(bytes => {
      this.#claimSize()
      hosted.type(bytes, refused)
    })
    this.#claimSize()
    this.#leave = hosted.viewers.add(viewer)
  }

  /** Answers that the viewer's terminal gives on its own (DA, DSR, …) are taken out. */
  input(bytes: Uint8Array): void {
    this.#input.push(bytes)
  }

  resize(size: Size): void {
    this.#size = size
    this.#claimSize()
  }

  leave(): void {
    this.#input.dispose()
    this.#leave()
  }

  #claimSize(): void {
    if (this.#size) this.#hosted.resize(this.#size)
  }
}
