import { Circle, CircleCheck, CircleDot, CircleX, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import type { PhaseView } from '#contract/views.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { durationOf } from './model.ts'
import { words as own } from './words.ts'

const MARKS: Record<PhaseView['status'], { icon: LucideIcon; tone: string }> = {
  pending: { icon: Circle, tone: 'text-soft' },
  in_progress: { icon: CircleDot, tone: 'text-ai' },
  completed: { icon: CircleCheck, tone: 'text-matsu' },
  failed: { icon: CircleX, tone: 'text-shu' },
}

type Props = { phases: readonly PhaseView[]; current: string; hrefOf: (phase: string) => string }

export function Stepper({ phases, current, hrefOf }: Props) {
  const words = useOwnWords(own)
  return (
    <nav aria-label={words.steps} className="min-w-0 flex-1">
      <ol className="flex gap-2 max-lg:flex-col max-lg:gap-1">
        {phases.map((phase, at) => (
          <li key={phase.phase} className="min-w-0 lg:flex-1">
            <Step phase={phase} number={at} isCurrent={phase.phase === current} href={hrefOf(phase.phase)} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Step(props: { phase: PhaseView; number: number; isCurrent: boolean; href: string }) {
  const { phase, number, isCurrent, href } = props
  const words = useOwnWords(own)
  const { code } = useWords()
  const { icon: Icon, tone } = MARKS[phase.status]
  const took = durationOf(phase, Date.now())
  return (
    <Link
      href={href}
      data-phase={phase.phase}
      aria-current={isCurrent ? 'step' : undefined}
      className={`flex h-full items-start gap-2.5 rounded-lg border px-3 py-2 hover:bg-ai-wash max-lg:min-h-11 max-lg:items-center ${isCurrent ? 'border-ai bg-ai-wash' : 'border-line bg-sheet'}`}
    >
      <Icon size={16} aria-hidden="true" className={`mt-0.75 shrink-0 max-lg:mt-0 ${tone}`} />
      <span className="min-w-0 max-lg:flex max-lg:flex-1 max-lg:flex-wrap max-lg:items-baseline max-lg:gap-x-2">
        <span className="block truncate font-medium">
          <span className="text-soft">{number}</span> {words.names[number]}
        </span>
        <span className={`block text-sm ${phase.status === 'pending' ? 'text-soft' : tone}`}>
          {phase.outcome === 'partial' ? words.outcome.partial : words.status[phase.status]}
          {took !== undefined && <span className="text-soft"> · {lengthOf(took, code)}</span>}
        </span>
      </span>
    </Link>
  )
}

function lengthOf(ms: number, lang: string): string {
  if (ms < 60_000) return lang === 'ja' ? '1 分未満' : '<1m'
  const [unit, size] =
    ms >= 86_400_000 ? ['day', 86_400_000] : ms >= 3_600_000 ? ['hour', 3_600_000] : ['minute', 60_000]
  const options = { style: 'unit', unit: String(unit), unitDisplay: lang === 'ja' ? 'short' : 'narrow' } as const
  return new Intl.NumberFormat(lang, options).format(Math.floor(ms / Number(size)))
}
