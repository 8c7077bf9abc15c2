import { command } from '../define.ts'
import { engineFindings, gitFindings } from '../doctor/programs.ts'
import { configFindings, diskFindings, homeFindings, nodeFindings } from '../doctor/machine.ts'
import { databaseFindings, hubFindings } from '../doctor/hub.ts'
import { roleFindings } from '../doctor/roles.ts'
import type { Finding } from '../doctor/finding.ts'
import { registrationFindings } from '../doctor/registration.ts'
import { EXIT } from '../errors.ts'
import { visible } from '../escape.ts'
import type { Io } from '../io.ts'
import { doctorTexts } from '../texts-doctor.ts'

export default command({
  examples: [['toryo doctor --json', { en: 'findings as data', ja: '結果をデータで' }]],
  async run(cx) {
    const { io } = cx
    const target = cx.target()
    const findings: Finding[] = [
      ...nodeFindings(),
      ...homeFindings(target),
      ...configFindings(target),
      ...diskFindings(target),
      ...(await hubFindings(target, cx.version)),
    ]
    findings.push(...(await databaseFindings(cx, target)))
    const [git, engines, registration] = await Promise.all([
      gitFindings(io),
      engineFindings(io),
      registrationFindings(cx, target),
    ])
    findings.push(...git, ...engines, ...registration, ...(await roleFindings(cx, target, findings)))
    const failures = findings.filter(finding => finding.level === 'fail').length
    return {
      json: { ok: failures === 0, findings: findings.map(finding => asData(finding, io)) },
      text: [...findings.map(finding => asText(finding, io)), '', summary(findings, io)].join('\n'),
      code: failures === 0 ? EXIT.done : EXIT.failed,
    }
  },
})

function asData({ check, level, text, fix }: Finding, io: Io) {
  return { check, level, message: io.say(text), ...(fix ? { fix: io.say(fix) } : {}) }
}

function asText({ level, text, fix }: Finding, io: Io): string {
  const mark = { ok: io.colors.green('✓'), warn: io.colors.yellow('!'), fail: io.colors.red('✗') }[level]
  const advice = fix ? `\n    ${io.colors.dim('→')} ${visible(io.say(fix))}` : ''
  return `${mark} ${visible(io.say(text)).replaceAll('\n', '\n  ')}${advice}`
}

function summary(findings: Finding[], io: Io): string {
  const count = (level: Finding['level']) => findings.filter(finding => finding.level === level).length
  if (count('fail') + count('warn') === 0) return io.colors.green(io.say(doctorTexts.allWell))
  return io.say(doctorTexts.result(count('fail'), count('warn')))
}
