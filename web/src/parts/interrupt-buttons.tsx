import { CircleStop, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from './button.tsx'
import { useCutOff } from './can-write.ts'
import { interruptWords, stopWork, takeOver } from './interrupt.ts'
import { useOwnWords } from './use-words.ts'

/** Of an agent that is at work. */
export function InterruptButtons({ id }: { id: string }) {
  const words = useOwnWords(interruptWords)
  const cutOff = useCutOff()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const off = isBusy || cutOff !== undefined
  const during = (act: () => Promise<unknown>) => {
    setBusy(true)
    void act().finally(() => setBusy(false))
  }
  const take = async () => {
    const terminal = await takeOver(id)
    if (terminal !== undefined) navigate(terminal)
  }
  return (
    <span className="inline-flex flex-wrap gap-2" data-interrupt={id}>
      <Button small look="danger" disabled={off} title={cutOff} onClick={() => during(() => stopWork(id))}>
        <CircleStop size={14} aria-hidden="true" /> {words.stop}
      </Button>
      <Button small disabled={off} title={cutOff ?? words.hint} onClick={() => during(take)}>
        <SquareTerminal size={14} aria-hidden="true" /> {words.take}
      </Button>
    </span>
  )
}
