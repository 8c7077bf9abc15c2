import type { ReactNode } from 'react'

/** The name of a field, as people see it; the field itself has it as its label. */
export function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-sm text-soft">
        {text}
      </span>
      {children}
    </div>
  )
}
