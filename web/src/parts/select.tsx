import type { ComponentProps } from 'react'

/** The browser's own list: it is known to every hand, keyboard, phone and screen reader. */
export function Select({ label, className = '', ...props }: ComponentProps<'select'> & { label: string }) {
  return (
    <select
      {...props}
      aria-label={label}
      className={`choice h-8 min-w-0 truncate rounded-md border border-rule bg-sheet pr-7 pl-2.5 max-md:h-11 ${className}`}
    />
  )
}
