// Not in the first load: its texts are long, and at first there is nothing to say.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addSums } from '#contract/usage-text.ts'
import { call } from '../../hub/call.ts'
import { lastDays } from '../../parts/days.ts'
import { useToday } from '../../parts/live-time.tsx'
import { useWords } from '../../parts/use-words.ts'
import { costText } from '../../parts/used.ts'
import { COST_TODAY } from './queries.ts'

/** What runs cost today, at the end of the line. */
export function CostToday({ project, href }: { project: string | null; href: string }) {
  const words = useWords()
  const cost = useCostToday(project).data
  if (!cost || cost.sum === 0) return null
  return (
    <>
      <span aria-hidden="true">·</span>
      <Link href={href} className="underline-offset-2 hover:text-ink hover:underline">
        {words.bottom.cost(costText(cost, words.code))}
      </Link>
    </>
  )
}

/** Since midnight, as far as engines report it. */
const useCostToday = (project: string | null) =>
  useQuery({
    // At midnight it is another day's.
    queryKey: [...COST_TODAY, useToday(), project],
    queryFn: async ({ signal }) => {
      const input = { ...lastDays(1), ...(project !== null && { project_id: project }) }
      const { days } = (await call('stats.daily', input, { signal })).value
      return addSums(days.map(({ cost }) => ({ sum: cost.usd, unknown_runs: cost.unknown_runs })))
    },
  })
