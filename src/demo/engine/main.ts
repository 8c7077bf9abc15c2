// The engine of the demo: a program that does what agents do, by a script. It has no model and reaches nothing but the hub that started
// it. Usage: demo-engine.js [--version] [--terminal] [--pace n] [--lang ja] [--hub pid] [--spare] < prompt
import { parseArgs } from 'node:util'
import { parseLang } from '#contract/lang.ts'
import { isAlive } from '#system/processes.ts'
import { workAsAgent, workInCrew } from './headless.ts'
import { workInTerminal } from './terminal.ts'

const { values } = parseArgs({
  options: {
    version: { type: 'boolean' },
    terminal: { type: 'boolean' },
    pace: { type: 'string', default: '1' },
    lang: { type: 'string' },
    hub: { type: 'string' },
    spare: { type: 'boolean' },
  },
  strict: false,
})

if (values.version) process.stdout.write('demo 1.0.0 (scripted, no model)\n')
else await main()

async function main(): Promise<void> {
  endWith(Number(values.hub))
  const pace = Number(values.pace)
  const lang = parseLang(String(values.lang))
  if (values.terminal) return workInTerminal({ pace, lang })
  const prompt = await readAll()
  const run = /You are agent (run_\S+) of group/.exec(prompt)?.[1]
  if (run !== undefined) return workInCrew({ run, prompt, pace, lang })
  return workAsAgent({ prompt, pace, lang, isSpare: values.spare === true })
}

/** A hub that was killed ends nothing, and no other process would end this one. */
function endWith(hub: number): void {
  if (!(hub > 0)) return
  const look = () => {
    if (!isAlive(hub)) process.exit(1)
  }
  look()
  setInterval(look, 500).unref()
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  return text
}
