import { DemoStart } from './demo.tsx'
import { Board } from '../domains/projects/board.tsx'

export function BoardView() {
  return <Board empty={<DemoStart />} />
}
