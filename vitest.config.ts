import { defineConfig } from 'vitest/config';

const LONG_STORIES = ['first-hour', 'wrong-settings'].map((name) => `test/system/stories/${name}.test.ts`);
/** Stories that start many processes or last for months, the alarms in thirty incidents, and what is slow for what its like shows: left to continuous integration. */
const LONG = [
  ...LONG_STORIES,
  'test/system/alarms/flapping.test.ts',
  'test/system/alarms/incidents.test.ts',
  'test/system/alarms/throttled.test.ts',
  'test/features/month.test.ts',
  'test/laws/simulation/same-course.test.ts',
];

/** All repetitions, and the long ones too. */
const isThorough = process.env['SCENARIOS'] === 'all';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...(isThorough ? [] : LONG), 'test/system/browser/**'],
    // Some wait for sockets and processes: with one worker a processor, these would stay idle. Stories wait most.
    maxWorkers: isThorough ? '200%' : '150%',
    // No file replaces a module or leaves state in one, so workers are kept: half the time.
    isolate: false,
    // Node itself runs the TypeScript, as it does for `npm start`: worlds take an eighth less of the processor.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Of a machine that is busy with something else.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
