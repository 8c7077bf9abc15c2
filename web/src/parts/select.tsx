import { Children, cloneElement, type ComponentProps, isValidElement, type ReactNode } from 'react'
import { marked } from './safe-text.tsx'

/** The browser's own list: it is known to every hand, keyboard, phone and screen reader. */
export function Select({ label, className = '', children, ...props }: ComponentProps<'select'> & { label: string }) {
  return (
    <select
      {...props}
      aria-label={label}
      className={`choice h-8 min-w-0 truncate rounded-md border border-rule bg-sheet pr-7 pl-2.5 max-md:h-11 ${className}`}
    >
      {withMarks(children)}
    </select>
  )
}

/** Names and branches are written by agents and other people, and an option has room for text alone. */
function withMarks(children: ReactNode): ReactNode {
  return Children.map(children, child => {
    if (typeof child === 'string') return marked(child)
    if (!isValidElement<{ children?: ReactNode }>(child)) return child
    return cloneElement(child, undefined, withMarks(child.props.children))
  })
}
