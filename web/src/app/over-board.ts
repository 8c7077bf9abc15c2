import { useEffect, useRef } from 'react'
import { useDesktop } from '../parts/use-desktop.ts'

/**
 * Whether a task stands over the board, and is no page of its own: it was opened from there, or from another one that did. Kept in
 * the history, so that Back and a reload bring the same. A phone has room for one of them either way.
 */
export function useOverBoard(path: string, isTask: boolean): boolean {
  const isDesktop = useDesktop()
  const cameFromBoard = useRef(false)
  const known = (history.state as { overBoard?: unknown } | null)?.overBoard
  const isOver = typeof known === 'boolean' ? known : cameFromBoard.current
  useEffect(() => {
    cameFromBoard.current = isTask ? isOver : path === '/board'
    if (isTask && known === undefined) history.replaceState({ ...history.state, overBoard: isOver }, '')
  }, [path, isTask, isOver, known])
  return isTask && (isOver || !isDesktop)
}
