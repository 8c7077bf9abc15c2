import { Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { asked, type Verb } from '../hub/call.ts'
import { useStore } from './use-store.ts'
import { useOwnWords } from './use-words.ts'

type Words = { label: string; ago: (seconds: number) => string; verbs: Record<Verb, string> }

const own: Record<'en' | 'ja', Words> = {
  en: {
    label: 'Asked, and not answered yet',
    ago: seconds => `asked ${seconds} s ago`,
    verbs: {
      ...{ launch: 'Launch', run: 'Run', repeat: 'Repeat', take: 'Take over', start: 'Start', retry: 'Try again' },
      ...{ stop: 'Stop', trust: 'Trust', remove: 'Remove', revoke: 'Revoke', advance: 'Advance' },
    },
  },
  ja: {
    label: '応答待ちの操作',
    ago: seconds => `${seconds} 秒前に依頼`,
    verbs: {
      ...{ launch: '起動', run: '実行', repeat: '再実行', take: '引き継ぎ', start: '開始', retry: '再試行' },
      ...{ stop: '停止', trust: '信頼', remove: '削除', revoke: '失効', advance: '次へ進む' },
    },
  },
}

/** Most are answered sooner, and need no word. */
const SHOWN_AFTER_S = 1

/** What was asked of the hub and is not shown before it happened, each with how long ago that was. */
export function Asked({ className = '' }: { className?: string }) {
  const words = useOwnWords(own)
  const wishes = useStore(asked)
  const now = useSeconds(wishes.length > 0)
  const shown = wishes
    .map(({ key, verb, at }) => ({ key, verb, seconds: Math.floor((now - at) / 1000) }))
    .filter(({ seconds }) => seconds >= SHOWN_AFTER_S)
  if (shown.length === 0) return null
  return (
    <ul aria-label={words.label} data-asked className={`flex flex-col gap-1 text-sm text-soft ${className}`}>
      {shown.map(({ key, verb, seconds }) => (
        <li key={key} className="flex items-center gap-2">
          <Hourglass size={14} aria-hidden="true" className="shrink-0" />
          <span className="font-medium text-ink">{words.verbs[verb]}</span>
          <span className="tabular-nums">{words.ago(seconds)}</span>
        </li>
      ))}
    </ul>
  )
}

function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}
