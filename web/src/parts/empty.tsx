import type { ReactNode } from 'react'
import { CommandLine } from './command-line.tsx'

/** What would be here, what makes the first, and the same on a command line. */
export function Empty({
  title,
  hint,
  cli,
  children,
}: {
  title: string
  hint: string
  cli?: string
  children?: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      <Mark />
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-soft">{hint}</p>
      {children}
      {cli !== undefined && <CommandLine text={cli} />}
    </div>
  )
}

/** A beam on a post, and two braces. */
export function Mark({ size = 40 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="text-hinoki">
      <path
        d="M5 9h22M16 9v18M8.5 9 16 17.5 23.5 9"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
