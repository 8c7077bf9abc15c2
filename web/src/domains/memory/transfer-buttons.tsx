import { useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Refused } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { notify } from '../../parts/notices.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { MEMORY } from './queries.ts'
import { BadLine, recordsIn } from './records.ts'
import { exportMemory, importRecords } from './transfer.ts'
import { words as own } from './words.ts'

/** Hands a project's memory on, and takes one over. */
export function TransferButtons({ project }: { project: string }) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const work = async (failed: string, act: () => Promise<string>) => {
    setBusy(true)
    try {
      notify({ kind: 'done', text: await act() })
    } catch (error) {
      const detail =
        error instanceof BadLine
          ? words.badLine(error.line)
          : error instanceof Refused
            ? error.message
            : all.error.unreached
      notify({ kind: 'failed', text: failed, detail })
    }
    setBusy(false)
  }
  const take = (file: File) =>
    work(words.notImported, async () => {
      const records = recordsIn(await file.text())
      await importRecords(project, records)
      await queries.invalidateQueries({ queryKey: MEMORY })
      return words.imported(records.length)
    })
  const disabled = isBusy || cutOff !== undefined
  return (
    <div className="flex gap-1">
      <Button
        look="quiet"
        {...{ disabled, title: cutOff }}
        onClick={() => void work(words.export, async () => words.exported(await exportMemory(project, project)))}
      >
        <Download size={14} aria-hidden="true" /> {words.export}
      </Button>
      <Button look="quiet" {...{ disabled, title: cutOff }} onClick={() => field.current?.click()}>
        <Upload size={14} aria-hidden="true" /> {words.import}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".jsonl,application/jsonl"
        aria-label={words.import}
        className="hidden"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void take(file)
        }}
      />
    </div>
  )
}
