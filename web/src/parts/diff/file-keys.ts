// Keys on the file that is being read.
import { useMemo, useRef } from 'react'
import { type Command, useCommands } from '../command.ts'
import { diffWords } from './words.ts'

type Acts = { toggleSeen: (path: string) => void; unfold: (path: string) => void }

export function useFileKeys(path: string | undefined, acts: Acts): void {
  const now = useRef({ path, ...acts })
  now.current = { path, ...acts }
  const commands = useMemo((): Command[] => {
    const on = (act: (path: string) => void) => () => {
      if (now.current.path !== undefined) act(now.current.path)
    }
    return [
      {
        id: 'file.seen',
        title: w => diffWords[w.code].markSeen,
        keys: ['v'],
        run: on(one => now.current.toggleSeen(one)),
      },
      {
        id: 'file.unfold',
        title: w => diffWords[w.code].unfoldFile,
        keys: ['u'],
        run: on(one => now.current.unfold(one)),
      },
      {
        id: 'file.copy',
        title: w => diffWords[w.code].copyPath,
        keys: ['y'],
        run: on(one => void navigator.clipboard.writeText(one).catch(() => undefined)),
      },
    ]
  }, [])
  useCommands(commands)
}
