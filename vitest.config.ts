import { defineConfig } from 'vitest/config';

const LONG_STORIES = [
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
].map((name) => `test/scenarios/${name}.test.ts`);
/** The alarms in thirty incidents; the quick ones run with all tests. */
const LONG_INCIDENTS = 'test/alarms/incidents.test.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Stories that start many processes: continuous integration lives through them too.
    exclude: process.env['SCENARIOS'] === 'all' ? [] : [...LONG_STORIES, LONG_INCIDENTS],
    // By default one processor of two would stay idle.
    maxWorkers: '100%',
    // No file replaces a module or leaves state in one, so workers are kept: half the time.
    isolate: false,
    // Of a machine that is busy with something else.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
