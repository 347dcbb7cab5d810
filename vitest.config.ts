import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // By default one processor of two would stay idle.
    maxWorkers: '100%',
    // No file replaces a module or leaves state in one, so workers are kept: half the time.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
