import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useOwnWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { graphOf, type Node } from './plan-model.ts'
import type { Cards } from './queries.ts'

const [WIDTH, HEIGHT, GAP_X, GAP_Y, EDGE] = [86, 24, 30, 8, 2]

const TONES: Record<string, string> = {
  done: 'stroke-matsu',
  cancelled: 'stroke-line',
  blocked: 'stroke-kohaku',
  in_progress: 'stroke-ai',
}

/** What the lists say, as a picture: from what must come first to what comes after. Alone, a task needs none. */
export function PlanGraph({ cards, id }: { cards: Cards['byId']; id: string }) {
  const { plan } = useOwnWords(boardWords)
  const graph = useMemo(() => graphOf(cards as ReadonlyMap<string, never>, id), [cards, id])
  const [, navigate] = useLocation()
  const search = useSearch()
  if (graph.nodes.length < 2) return null
  const x = ({ column }: Node) => EDGE + column * (WIDTH + GAP_X)
  const y = ({ row }: Node) => EDGE + row * (HEIGHT + GAP_Y)
  const byId = new Map(graph.nodes.map(node => [node.id, node]))
  const width = graph.columns * (WIDTH + GAP_X) - GAP_X + 2 * EDGE
  const height = graph.rows * (HEIGHT + GAP_Y) - GAP_Y + 2 * EDGE
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-sunk p-3"
      tabIndex={0}
      role="group"
      aria-label={plan.title}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={plan.graph(graph.nodes.length)}
        data-graph
      >
        {graph.edges.map(([from, to]) => {
          const [one, other] = [byId.get(from), byId.get(to)]
          if (!one || !other) return null
          const [x1, y1, x2, y2] = [x(one) + WIDTH, y(one) + HEIGHT / 2, x(other), y(other) + HEIGHT / 2]
          const middle = (x1 + x2) / 2
          return (
            <path
              key={`${from} ${to}`}
              d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2 - 1} ${y2}m-5 -3l5 3l-5 3`}
              className="fill-none stroke-rule"
            />
          )
        })}
        {graph.nodes.map(node => {
          const card = cards.get(node.id)
          const isOwn = node.id === id
          return (
            <g
              key={node.id}
              data-node={node.id}
              transform={`translate(${x(node)} ${y(node)})`}
              className={isOwn ? '' : 'cursor-pointer'}
              onClick={() => !isOwn && navigate(`/tasks/${node.id}${search === '' ? '' : `?${search}`}`)}
            >
              <title>{card?.title ?? node.id}</title>
              <rect
                width={WIDTH}
                height={HEIGHT}
                rx={6}
                strokeWidth={isOwn ? 2 : 1}
                className={`${isOwn ? 'fill-ai-wash' : 'fill-sheet'} ${TONES[card?.status ?? ''] ?? 'stroke-rule'}`}
              />
              <text x={WIDTH / 2} y={HEIGHT / 2} dy="0.35em" textAnchor="middle" className="fill-ink font-mono text-xs">
                {short(card?.handle ?? node.id)}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

const SHOWN = 11

/** The number is what tells them apart. */
function short(handle: string): string {
  return handle.length <= SHOWN ? handle : `…${handle.slice(1 - SHOWN)}`
}
