import { expect, it, onTestFinished } from 'vitest';
import { startStandIns } from '../../../harness/console.ts';

it('backfill quote refuses a filter by a property that HubSpot does not have, and names it', async () => {
  const standIns = await startStandIns();
  onTestFinished(() => standIns.stop());
  const quote = [
    'backfill',
    'quote',
    '--objects',
    'contacts',
    '--where',
    'city=Lyon',
    'citty=Lyon',
    '--json',
  ];
  const { code, err, json } = await standIns.run(quote);
  expect(code).toBe(2);
  expect(json()).toMatchObject({ error: { code: 'no-such-property' } });
  expect(err).toContain('citty');
  expect((await standIns.run(['backfill', 'list', '--json'])).json()).toEqual({ backfills: [] });
});
