// A reporter for vitest: which files failed, into the file that `TORYO_TEST_REPORT` names. Not even an empty list when
// something failed outside of any test, because then no file can be run again for it. Ends a run in which everything fails.
import fs from 'node:fs'

/** After so many files nobody reads on: something is wrong that they share. */
const MOST = 20

export default class FailedFiles {
  /** @type {import('vitest/node').Vitest | undefined} */
  #vitest
  #failed = 0

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    if (module.ok()) return
    this.#failed += 1
    if (this.#failed !== MOST) return
    console.error(`\n${MOST} files have failed: no more are run.\n`)
    // It ends when the reporters have heard of all that ran, so it is not waited for here.
    void this.#vitest?.cancelCurrentRun('test-failure')
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} loose
   */
  onTestRunEnd(modules, loose) {
    const failed = modules.filter(module => !module.ok()).map(module => module.relativeModuleId)
    if (loose.length === 0) fs.writeFileSync(process.env['TORYO_TEST_REPORT'] ?? '', JSON.stringify(failed))
  }
}
