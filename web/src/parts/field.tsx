import type { ComponentProps } from 'react'

const LOOK = 'w-full rounded-md border border-rule bg-sheet px-3 py-1.5'

export function TextField({ label, className = '', ...props }: ComponentProps<'input'> & { label: string }) {
  return <input {...props} aria-label={label} className={`${LOOK} h-8 max-md:h-11 ${className}`} />
}

export function TextArea({ label, className = '', ...props }: ComponentProps<'textarea'> & { label: string }) {
  return <textarea {...props} aria-label={label} className={`${LOOK} resize-y ${className}`} />
}
