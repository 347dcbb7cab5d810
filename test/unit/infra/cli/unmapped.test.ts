import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { readCsv, type StandIns, startStandIns } from '../../../harness/console.ts';

let standIns: StandIns;
const run = (...words: string[]) => standIns.run(words);

/** A company was enriched in a portal whose admin has taken all industries but one away. */
beforeAll(async () => {
  let id = '';
  standIns = await startStandIns({}, { hasWorkers: false });
  const { dataService, hubSpot, create } = standIns;
  const options = [{ label: 'Food Services', value: 'FOOD', displayOrder: 0, hidden: false }];
  const path = '/crm/properties/2026-09/companies/industry';
  await hubSpot('PATCH', path, { options });
  const { companies } = dataService.world;
  const company = companies.find(
    ({ industry, specialties }) => industry === 'Food and Beverage Services' && specialties.length > 0,
  );
  id = await create('companies', { domain: company?.domains[0] });
  await run('setup');
  await run('enrich', `companies/${id}`, '--yes');
});
afterAll(() => standIns.stop());

it('unmapped lists values without an option with the nearest one, and keys of answers that no field takes', async () => {
  const list = (await run('unmapped', '--json')).json() as unknown as Record<string, unknown>[];
  const objectType = 'companies';
  const reason = expect.stringMatching(/"Food and Beverage Services".*"Food Services"/);
  expect(list).toContainEqual({ objectType, property: 'industry', reason, records: 1 });
  expect(list).toContainEqual({ objectType, key: 'specialities', reason: expect.any(String), records: 1 });
  const [columns] = readCsv((await run('unmapped', '--days', '7', '--csv')).out);
  expect(columns).toEqual(['objectType', 'property', 'key', 'records', 'reason']);
  await standIns.clock.sleep(2 * DAY_MS);
  expect((await run('unmapped', '--days', '1', '--json')).json()).toEqual([]);
  expect(list.some(({ key }) => key === 'headquarters/city' || key === 'revenue/currency')).toBe(false);
});
