import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Nothing waits that long where it works; a machine that runs everything at once is slow.
    expect: { poll: { timeout: 10_000 } },
  },
})
