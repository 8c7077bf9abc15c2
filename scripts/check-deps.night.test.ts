import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('the program fails on a violation in the tree it stands in', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'toryo-deps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['scripts', 'bin']) cpSync(folder, path.join(root, folder), { recursive: true })
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }')
  mkdirSync(path.join(root, 'src', 'kernel'), { recursive: true })
  writeFileSync(path.join(root, 'src', 'kernel', 'a.ts'), "import '#hub/main.ts'")
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', 'check-deps.js')], {
    encoding: 'utf8',
  })
  expect(stderr).toBe("src/kernel/a.ts:1 kernel may not import hub, only contract, system ('#hub/main.ts')\n")
  expect(status).toBe(1)
})
