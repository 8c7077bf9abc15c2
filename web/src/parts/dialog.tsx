import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { AskedLately } from './asked-lately.tsx'
import { Button } from './button.tsx'
import { takeTyped } from './typed-ahead.tsx'

type Props = {
  label: string
  close: () => void
  closeLabel: string
  children: ReactNode
  /** A sheet stands at the side, over the view, a wide one where logs are read; a box in the middle. */
  shape?: 'box' | 'sheet' | 'wide' | 'bare'
}

const SHAPES = {
  box: 'm-auto w-[min(560px,calc(100vw-24px))] max-h-[calc(100dvh-48px)] rounded-xl anim-in',
  sheet:
    'm-0 ml-auto h-dvh max-h-dvh w-[min(var(--sheet-width,560px),100vw)] max-w-none border-l border-line anim-slide',
  wide: 'm-0 ml-auto h-dvh max-h-dvh w-[min(820px,100vw)] max-w-none border-l border-line anim-slide',
  bare: 'mx-auto mt-[12vh] mb-auto w-[min(600px,calc(100vw-24px))] rounded-xl anim-in',
}

/** The focus goes in, stays in, and returns to where it came from: all of it the browser's own work. */
export function Dialog({ label, close, closeLabel, children, shape = 'box' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  // Before anything else can be typed.
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    // Not the button that closes it, which comes first.
    const first = dialog?.querySelector('[data-autofocus]') ?? dialog?.querySelector('[data-dialog-body]')
    if (first instanceof HTMLElement) first.focus()
    takeTyped(first ?? null)
    return () => {
      // As long as it is open, nothing outside of it can have the focus.
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-label={label}
      className={`overflow-hidden bg-sheet p-0 shadow-2xl ${SHAPES[shape]}`}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
      onClick={event => {
        if (event.target === ref.current) close()
      }}
    >
      <div className="flex max-h-[inherit] min-h-0 flex-col overflow-auto outline-none" data-dialog-body tabIndex={-1}>
        {shape !== 'bare' && (
          <Button look="quiet" small className="absolute top-3 right-3 !px-1.5" aria-label={closeLabel} onClick={close}>
            <X size={16} aria-hidden="true" />
          </Button>
        )}
        {children}
        {/* It covers the place where the page says it. */}
        <AskedLately className="sticky bottom-0 border-t border-line bg-sheet px-6 py-2 max-md:px-4" />
      </div>
    </dialog>
  )
}
