import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { openDataFolder } from '../../../../infra/local/data-folder.ts';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { askHubSpot, readCsv, runCommand } from './console.ts';

let dataFolder = '';
const run = (...words: string[]) => runCommand(words, { env: { DATA_DIR: dataFolder } });

/** A company was enriched in a portal whose admin has taken all industries but one away. */
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  const { handle, state } = createHubSpotSandbox({ clock, send: async () => new Response('') });
  const dataService = createDataServiceSandbox({ clock });
  const options = [{ label: 'Food Services', value: 'FOOD', displayOrder: 0, hidden: false }];
  const path = '/crm/properties/2026-09/companies/industry';
  await askHubSpot(handle, { method: 'PATCH', path, body: { options } });
  const company = dataService.world.companies.find(
    ({ industry }) => industry === 'Food and Beverage Services',
  );
  const body = { objectType: 'companies', properties: { domain: company?.domains[0] } };
  const { id } = await askHubSpot(handle, { method: 'POST', path: '/_sandbox/create', body });
  const folder = await openDataFolder({ path: join(dataFolder, 'sandbox'), fresh: true, nowMs: clock.now() });
  await folder.save({ ...folder.saved, hubSpot: state(), dataService: dataService.state() });
  await run('setup');
  await run('enrich', `companies/${id}`, '--yes');
});
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

describe('unmapped', () => {
  it('lists values without an option with the nearest one, and keys of answers that no field takes', async () => {
    const list = (await run('unmapped', '--json')).json() as unknown as Record<string, unknown>[];
    const objectType = 'companies';
    const reason = 'HubSpot has no option for "Food and Beverage Services"; the nearest is "Food Services"';
    expect(list).toContainEqual({ objectType, property: 'industry', reason, records: 1 });
    const untaken = 'no field of the policy takes it';
    expect(list).toContainEqual({ objectType, key: 'specialities', reason: untaken, records: 1 });
    expect(list.some(({ key }) => key === 'headquarters/city' || key === 'annual_revenue/currency')).toBe(
      false,
    );
  });

  it('has a row for each as CSV', async () => {
    const [head, ...rows] = readCsv((await run('unmapped', '--csv')).out);
    expect(head).toEqual(['objectType', 'property', 'key', 'records', 'reason']);
    expect(rows.map(([, , key]) => key)).toContain('specialities');
  });
});
