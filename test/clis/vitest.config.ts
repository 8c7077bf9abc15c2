// The tests with real agent programs: `npm run test:clis`. They need no PostgreSQL, and one program at a time is enough work
// for a small machine.
import { defineConfig } from 'vitest/config'

process.env['TZ'] = 'Asia/Kathmandu'

export default defineConfig({
  test: {
    environment: 'node',
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/clis/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    pool: 'forks',
    // Loading the sources for each file again costs more than some of them do.
    isolate: false,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
})
