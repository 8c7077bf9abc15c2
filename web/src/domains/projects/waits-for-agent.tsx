import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TaskRef } from '#contract/order.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { copyAgent } from './moving.ts'
import { taskWords } from './task-words.ts'

type Waiting = { task_id: string; handle: string; assignee_id: string | null; agent_busy_with: TaskRef | null }

/** One press: nothing of it is chosen, and the Runner needs no passkey. */
export function AnotherLikeIt({ task }: { task: Waiting }) {
  const words = useOwnWords(taskWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [isBusy, setBusy] = useState(false)
  if (!task.agent_busy_with || task.assignee_id === null) return null
  const add = async (agentId: string) => {
    setBusy(true)
    await copyAgent(queries, task, agentId)
    setBusy(false)
  }
  return (
    <Button
      small
      disabled={isBusy || cutOff !== undefined}
      title={cutOff}
      className="relative z-10 self-start"
      onClick={() => void add(task.assignee_id ?? '')}
    >
      {words.anotherLikeIt}
    </Button>
  )
}
