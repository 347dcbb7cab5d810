import { defineConfig } from 'vitest/config';

/** Needs a Chromium, which `npm test` does without. */
export default defineConfig({
  test: {
    include: ['test/system/browser/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
});
