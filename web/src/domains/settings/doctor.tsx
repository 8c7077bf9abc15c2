import { Check, CircleAlert, CircleCheck, CircleX, Copy } from 'lucide-react'
import { useState } from 'react'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { reportOf } from './model.ts'
import { Panel, Rows } from './parts.tsx'
import { useDoctor, useHub } from './queries.ts'
import { words as own } from './words.ts'

const MARKS = {
  ok: { icon: CircleCheck, tone: 'text-matsu' },
  warn: { icon: CircleAlert, tone: 'text-kohaku' },
  fail: { icon: CircleX, tone: 'text-shu' },
}

export function Doctor() {
  const words = useOwnWords(own)
  const found = useDoctor()
  const hub = useHub().data
  const [copied, setCopied] = useState(false)
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data || !hub) return <Bars count={6} height={36} />
  const { findings } = found.data
  const count = (level: string) => findings.filter(finding => finding.level === level).length
  const isWell = count('fail') + count('warn') === 0
  const copy = () =>
    void navigator.clipboard.writeText(reportOf(found.data, hub)).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    })
  const CopyIcon = copied ? Check : Copy
  return (
    <Panel title={words.tabs.doctor} hint={words.doctorHint}>
      <CommandLine text="toryo doctor" />
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className={`mr-auto font-medium ${isWell ? 'text-matsu' : ''}`}>
          {isWell ? words.allWell : words.summary(count('fail'), count('warn'))}
        </p>
        <Button disabled={found.isFetching} onClick={() => void found.refetch()}>
          {found.isFetching ? words.looking : words.look}
        </Button>
        <Button onClick={copy}>
          <CopyIcon size={14} aria-hidden="true" /> {copied ? words.copied : words.copy}
        </Button>
      </div>
      <Rows>
        {findings.map(({ check, level, message, fix }, at) => {
          const { icon: Icon, tone } = MARKS[level]
          return (
            <li key={at} data-finding={level} className="flex gap-3 px-4 py-2.5">
              <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
              <div className="line-clamp-any min-w-0 flex-1">
                <span className="sr-only">{words.levels[level]}: </span>
                <SafeText text={message} />
                {fix !== null && (
                  <p className="text-sm text-soft">
                    <SafeText text={fix} />
                  </p>
                )}
              </div>
              <span className="shrink-0 text-xs text-soft max-md:hidden">{check}</span>
            </li>
          )
        })}
      </Rows>
    </Panel>
  )
}
