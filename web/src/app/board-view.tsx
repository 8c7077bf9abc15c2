import { StartDemo } from '../domains/demo/start-demo.tsx'
import { Board } from '../domains/projects/board.tsx'

export function BoardView() {
  return <Board empty={<StartDemo />} />
}
