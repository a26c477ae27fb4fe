import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Nothing waits that long where it works; a machine that runs everything at once is slow. What is polled says what does not hold before
    // the time of its test is over.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
  },
})
