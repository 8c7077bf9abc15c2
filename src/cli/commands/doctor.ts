import fs from 'node:fs'
import { type Target, userHome } from '#client/locate.ts'
import { readState } from '#client/state-file.ts'
import { readMcpState } from '#registration/mcp-state.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { type Finding, refusal } from '../doctor/finding.ts'
import { databaseFindings, hubFindings } from '../doctor/hub.ts'
import { configFindings, describedEngines, diskFindings, homeFindings, nodeFindings } from '../doctor/machine.ts'
import { portFindings } from '../doctor/port.ts'
import { engineFindings, gitFindings } from '../doctor/programs.ts'
import { registrationFindings } from '../doctor/registration.ts'
import { roleFindings } from '../doctor/roles.ts'
import { tabFindings, terminalFindings } from '../doctor/tabs.ts'
import { workFindings } from '../doctor/work.ts'
import { EXIT } from '../errors.ts'
import { visible } from '../escape.ts'
import type { Io } from '../io.ts'
import { slowly } from '../slowly.ts'
import { doctorTexts } from '../texts-doctor.ts'
import { loadWidths } from '../width.ts'
import { wrap } from '../wrap.ts'

const words = {
  result: (failures: number, warnings: number) => ({
    en: `${failures} to fix, ${warnings} to look at.`,
    ja: `要修正 ${failures} 件、要確認 ${warnings} 件です。`,
  }),
}

export default command({
  summary: { en: 'Look for problems and say how to fix them', ja: '問題を調べ、直し方を示す' },
  group: 'hub',
  order: 6,
  when: {
    en: 'When something does not work: looks for the cause and says the fix.',
    ja: 'うまく動かないときに。原因を調べ、直し方を示します。',
  },
  examples: [['toryo doctor --json', { en: 'findings as data', ja: '結果をデータで' }]],
  output: 'doctor.run',
  async run(cx) {
    const { io } = cx
    const findings = await slowly(
      cx,
      {
        en: 'Looking; agent programs are asked for their version …',
        ja: '調べています (各プログラムにバージョンを問い合わせます)…',
      },
      () => examine(cx, cx.target()),
    )
    // What others say may be in any script.
    await loadWidths()
    const failures = findings.filter(finding => finding.level === 'fail').length
    return {
      json: { ok: failures === 0, findings: findings.map(finding => asData(finding, io)) },
      text: [...findings.map(finding => asText(finding, io)), '', summary(findings, io)].join('\n'),
      code: failures === 0 ? EXIT.done : EXIT.failed,
    }
  },
})

async function examine(cx: Context, target: Target): Promise<Finding[]> {
  const { io } = cx
  const findings: Finding[] = [
    ...nodeFindings(),
    ...homeFindings(target),
    ...configFindings(target),
    ...diskFindings(target),
    ...(await hubFindings(target, cx.version)),
  ]
  // Where nothing can be written no hub can start, and it would only say so again.
  const isHomeless = findings.some(({ check, level }) => check === 'home' && level === 'fail')
  if (!isHomeless) findings.push(...(await databaseFindings(cx, target)))
  const parts = await Promise.all([
    gitFindings(io),
    engineFindings(io, describedEngines(target)),
    registrationFindings(cx, target),
    portFindings(addresses(target, io)),
  ])
  findings.push(...parts.flat(), ...terminalFindings(cx.hubProgram), ...(await hubsView(cx, target, findings)))
  return findings
}

/** Of the hubs that may well have the port. */
function addresses(target: Target, { env }: Io): (string | undefined)[] {
  try {
    return [readState(target)?.url, readMcpState(userHome(env))?.url]
  } catch {
    return [] // A file that is not trusted; it has its own finding.
  }
}

/** Asked only of a hub whose database answers; one that does not is a finding of its own. */
async function hubsView(cx: Context, target: Target, findings: readonly Finding[]): Promise<Finding[]> {
  const isNew = target.kind === 'sqlite' && !fs.existsSync(target.db)
  const isWell = findings.some(({ check, level }) => check === 'database' && level === 'ok')
  if (isNew || !isWell) return []
  try {
    const hub = await cx.connect()
    return [
      ...(await roleFindings(hub)),
      ...(await workFindings(hub, target, cx.io)),
      ...(await tabFindings(hub, cx.io.now())),
    ]
  } catch (problem) {
    return [refusal('hub', problem, doctorTexts.hubFix)]
  }
}

function asData({ check, level, text, fix }: Finding, io: Io) {
  return { check, level, message: io.say(text), fix: fix ? io.say(fix) : null }
}

function asText({ level, text, fix }: Finding, io: Io): string {
  const mark = { ok: io.colors.green('✓'), warn: io.colors.yellow('!'), fail: io.colors.red('✗') }[level]
  const advice = fix ? `\n    ${io.colors.dim('→')} ${indented(io.say(fix), 6, io)}` : ''
  return `${mark} ${indented(io.say(text), 2, io)}${advice}`
}

/** Broken at words, below its own beginning. */
function indented(text: string, by: number, { width }: Io): string {
  const lines = width === undefined ? visible(text) : wrap(visible(text), width - by)
  return lines.replaceAll('\n', `\n${' '.repeat(by)}`)
}

function summary(findings: Finding[], io: Io): string {
  const count = (level: Finding['level']) => findings.filter(finding => finding.level === level).length
  if (count('fail') + count('warn') === 0)
    return io.colors.green(io.say({ en: 'All is well.', ja: '問題はありません。' }))
  return io.say(words.result(count('fail'), count('warn')))
}
