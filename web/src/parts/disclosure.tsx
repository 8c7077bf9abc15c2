import { ChevronRight } from 'lucide-react'

/** Of a `summary` in a `details` with the class `group/fold`: a row of its own loses the browser's triangle. */
export function Disclosure() {
  return (
    <ChevronRight
      size={14}
      aria-hidden="true"
      className="shrink-0 text-soft transition-transform group-open/fold:rotate-90 motion-reduce:transition-none"
    />
  )
}
