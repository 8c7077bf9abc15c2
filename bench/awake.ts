// Keeps every core from falling asleep while something is measured. To wake one costs the writer up to 0.05 ms on a virtual
// machine, more than the work that is measured, and how often depends on the number of processes: that is the machine's affair.
// `TORYO_BENCH_SLEEP=1` lets them sleep.
import { spawn } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'

/** In short turns, in which it sees that its parent is gone: it must never outlive a measurement that was ended. */
const LOOP = `
process.stdin.on('end', () => process.exit()).resume()
const turn = () => {
  for (const end = performance.now() + 20; performance.now() < end; );
  setImmediate(turn)
}
turn()`

export function keepAwake(): Disposable {
  const cores = process.env['TORYO_BENCH_SLEEP'] ? 0 : availableParallelism()
  const busy = Array.from({ length: cores }, () =>
    spawn(process.execPath, ['-e', LOOP], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  // Processes with work to do go first.
  for (const { pid } of busy) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  return { [Symbol.dispose]: () => busy.forEach(one => one.kill('SIGKILL')) }
}
