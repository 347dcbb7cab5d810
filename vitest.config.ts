import { defineConfig } from 'vitest/config';

const LONG_STORIES = [
  'associations',
  'backfill',
  'first-hour',
  'killed',
  'wrong-settings',
  'changed-key',
  'two-portals',
  'people-win',
  'imports',
  'data-truth',
  'portal-kinds',
  'month',
  'shadow',
  'policy',
].map((name) => `test/scenarios/${name}.test.ts`);
/** Stories that start many processes or last for months, and the alarms in thirty incidents: the quick ones run with all tests. */
const LONG = [
  ...LONG_STORIES,
  'test/processes/*.test.ts',
  'test/alarms/incidents.test.ts',
  'test/e2e/policy-month.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Continuous integration lives through them too.
    exclude: [...(process.env['SCENARIOS'] === 'all' ? [] : LONG), 'test/browser/**'],
    // Some wait for sockets and processes: with one worker a processor, these would stay idle.
    maxWorkers: '150%',
    // No file replaces a module or leaves state in one, so workers are kept: half the time.
    isolate: false,
    // Of a machine that is busy with something else.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
