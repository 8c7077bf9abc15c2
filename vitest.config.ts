import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    // Real agent programs have a run of their own: `npm run test:clis`.
    exclude: ['**/node_modules/**', 'test/clis/**'],
    globalSetup: ['test/postgres.ts'],
    // Machines are noisy. A test that hangs still ends, one that is merely slow must not fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // Without this it gives up after one second.
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // Most of them wait for processes most of the time.
    maxWorkers: 4,
  },
})
