// The left edge of a sheet, to make it wider or narrower: by drag, or by arrow keys. The width is kept in this browser.
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useState } from 'react'
import { local } from '../hub/kept.ts'

const KEY = 'toryo.sheet-width'
const [LEAST, MOST, STEP, USUAL] = [420, 1200, 40, 560]

export function SheetHandle({ label }: { label: string }) {
  const [width, setWidth] = useState(() => within(Number(local.getItem(KEY) ?? USUAL)))
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--sheet-width', `${width}px`)
    local.setItem(KEY, String(width))
  }, [width])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
    const to = by === undefined ? { Home: LEAST, End: MOST }[event.key] : width + by
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setWidth(within(to))
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) setWidth(within(window.innerWidth - event.clientX))
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      data-sheet-handle
      className="absolute inset-y-0 left-0 z-10 w-1.5 cursor-col-resize touch-none hover:bg-ai focus-visible:bg-ai max-md:hidden"
      onKeyDown={onKeyDown}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}

function within(width: number): number {
  return Number.isFinite(width) ? Math.round(Math.max(LEAST, Math.min(MOST, width))) : USUAL
}
