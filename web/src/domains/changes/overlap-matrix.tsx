import { Files, type LucideIcon, Split, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Between, matrixOf, nameOf, type Overlap } from './model.ts'
import type { Near } from './near.ts'
import { changesWords } from './words.ts'

/** A larger table than this cannot be read; then only those that overlap are in it. */
const MOST = 12

const LOOKS: Record<Between['kind'], { icon: LucideIcon; cell: string; ink: string }> = {
  conflict: { icon: TriangleAlert, cell: 'bg-shu-wash', ink: 'text-shu' },
  lines: { icon: Split, cell: 'bg-kohaku-wash', ink: 'text-kohaku' },
  file: { icon: Files, cell: '', ink: 'text-soft' },
  manifest: { icon: Files, cell: '', ink: 'text-soft' },
}

type Props = { overlaps: readonly Overlap[]; near: readonly Near[]; query: string }

/** With three or more a list of pairs no longer shows who is in the middle of it. */
export function OverlapMatrix({ overlaps, near, query }: Props) {
  const words = useOwnWords(changesWords)
  const all = matrixOf(overlaps, near)
  const { sides, between } = all.sides.length > MOST ? matrixOf(overlaps) : all
  if (sides.length < 3) return null
  const cell = 'border border-line px-2 py-1 text-left font-normal'
  return (
    <section aria-label={words.matrix} className="flex flex-col gap-2" data-matrix>
      <h2 className="font-semibold">{words.matrix}</h2>
      <div className="overflow-x-auto" tabIndex={0} aria-label={words.matrix} role="region">
        <table className="border-collapse bg-sheet text-sm">
          <thead>
            <tr>
              <td className={cell} />
              {sides.map(side => (
                <th key={side.worktree_id} scope="col" className={`${cell} font-medium whitespace-nowrap`}>
                  <SafeText text={nameOf(side)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sides.map(row => (
              <tr key={row.worktree_id}>
                <th scope="row" className={`${cell} font-medium whitespace-nowrap`}>
                  <SafeText text={nameOf(row)} />
                </th>
                {sides.map(column => {
                  const found = row === column ? undefined : between(row, column)
                  if (!found)
                    return <td key={column.worktree_id} className={`${cell} ${row === column ? 'bg-sunk' : ''}`} />
                  const { icon: Icon, cell: wash, ink } = LOOKS[found.kind]
                  const search = new URLSearchParams(query)
                  if (found.files[0] !== undefined) search.set('file', found.files[0])
                  return (
                    <td key={column.worktree_id} className={`${cell} ${wash}`}>
                      <Link
                        href={`/changes/${row.worktree_id}?${search}`}
                        className="inline-flex items-center gap-1 underline-offset-2 hover:underline"
                        title={found.files.join('\n')}
                      >
                        <Icon size={14} aria-hidden="true" className={ink} />
                        <span className="sr-only">{words.kind[found.kind]}:</span> {words.files(found.files.length)}
                      </Link>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
