// A reporter for vitest: which files failed, into the file that `TORYO_TEST_REPORT` names. Not even an empty list when
// something failed outside of any test, because then no file can be run again for it.
import fs from 'node:fs'

export default class FailedFiles {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} loose
   */
  onTestRunEnd(modules, loose) {
    const failed = modules.filter(module => !module.ok()).map(module => module.relativeModuleId)
    if (loose.length === 0) fs.writeFileSync(process.env['TORYO_TEST_REPORT'] ?? '', JSON.stringify(failed))
  }
}
