// What the tabs of settings are made of.
import type { ReactNode } from 'react'

export function Panel({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <header>
        <h2 className="text-lg font-semibold">{title}</h2>
        {hint !== undefined && <p className="text-soft">{hint}</p>}
      </header>
      {children}
    </section>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet">{children}</ul>
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="line-clamp-any min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
