// The CLI's entry, dist/cli.js. Only what every command needs is loaded here; the rest comes when its command is named.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { processIo } from './io.ts'
import { runCli } from './run.ts'

export async function main(args: string[]): Promise<number> {
  quietlyWithout(process.stdout)
  quietlyWithout(process.stderr)
  return runCli(args, processIo(), {
    hubProgram: fileURLToPath(new URL('./hub.js', import.meta.url)),
    version: readVersion(),
  })
}

/** The reader may stop reading (`| head`), or close the terminal's window; that is not our failure. */
function quietlyWithout(stream: NodeJS.WriteStream): void {
  stream.on('error', (problem: NodeJS.ErrnoException) => {
    // The signal that comes with it says what is to end.
    if (problem.code === 'EIO' && stream.isTTY) return
    if (problem.code !== 'EPIPE') throw problem
    process.exit()
  })
}

function readVersion(): string {
  const { version } = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version as string
}
