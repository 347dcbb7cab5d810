import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enrichmentProperties } from '#shared/field-policy';
import { type StandIns, startStandIns } from '../../../harness/console.ts';

let standIns: StandIns;
beforeEach(async () => {
  standIns = await startStandIns();
});
afterEach(() => standIns.stop());

const namesOn = (objectType: 'contacts' | 'companies') =>
  enrichmentProperties(objectType).map(({ name }) => name);
const [ON_CONTACTS, ON_COMPANIES] = [namesOn('contacts'), namesOn('companies')];
const PATH = '/crm/properties/2026-09/contacts';
const run = (...words: string[]) => standIns.run(['setup', ...words]);

/** Requests to the portal that could have changed something. */
async function writes(): Promise<number> {
  const { requests } = (await standIns.hubSpot('GET', '/_sandbox/requests')) as {
    requests: { method: string; path: string; count: number }[];
  };
  return requests
    .filter(({ method, path }) => method !== 'GET' && path.includes('/crm/properties/'))
    .reduce((sum, { count }) => sum + count, 0);
}

async function property(over: Readonly<Record<string, unknown>>): Promise<void> {
  await standIns.hubSpot('POST', `${PATH}/groups`, { name: 'old', label: 'Old', displayOrder: 1 });
  const made = { groupName: 'old', label: 'Old', type: 'string', fieldType: 'text', ...over };
  await standIns.hubSpot('POST', PATH, made);
}

describe('setup', () => {
  it('creates group and properties on both types, and does nothing the second time', async () => {
    const first = await run('--json');
    expect(first.code).toBe(0);
    expect(first.json()).toMatchObject({
      contacts: { groupCreated: true, created: ON_CONTACTS, conflicts: [] },
      companies: { groupCreated: true, created: ON_COMPANIES, conflicts: [] },
    });
    const written = await writes();
    // Two groups, the properties, and the installation's mark.
    expect(written).toBe(2 + ON_CONTACTS.length + ON_COMPANIES.length + 1);
    const second = await run('--json');
    expect(second).toMatchObject({ code: 0 });
    expect(second.json()).toMatchObject({
      contacts: { groupCreated: false, created: [], unchanged: ON_CONTACTS },
      companies: { groupCreated: false, created: [], unchanged: ON_COMPANIES },
    });
    expect(await writes()).toBe(written);
  });

  it('keeps the options that somebody added, in their places', async () => {
    await run();
    const there = await standIns.hubSpot('GET', `${PATH}/enrichment_status`);
    const [, ...rest] = there['options'] as Record<string, unknown>[];
    const own = { label: 'Checked by hand', value: 'by_hand', displayOrder: 40, hidden: false };
    await standIns.hubSpot('PATCH', `${PATH}/enrichment_status`, { options: [own, ...rest] });
    expect((await run('--json')).json()).toMatchObject({ contacts: { optionsAdded: ['enrichment_status'] } });
    const after = await standIns.hubSpot('GET', `${PATH}/enrichment_status`);
    const values = (after['options'] as { value: string }[]).map(({ value }) => value);
    expect(values).toEqual(['by_hand', ...rest.map(({ value }) => value), 'enriched']);
  });

  it('brings an archived property of the same type back', async () => {
    await property({ name: 'enrichment_source' });
    await standIns.hubSpot('DELETE', `${PATH}/enrichment_source`);
    const { code, json } = await run('--json');
    expect(json()).toMatchObject({ contacts: { revived: ['enrichment_source'] } });
    expect(code).toBe(0);
  });

  it.each([
    ['is in use', false],
    ['is archived', true],
  ])('leaves a property of another type alone that %s, and fails', async (_, archived) => {
    await property({ name: 'enrichment_credits' });
    if (archived) await standIns.hubSpot('DELETE', `${PATH}/enrichment_credits`);
    const { code, err, json } = await run('--json');
    expect(err.trimEnd().split('\n')).toHaveLength(2);
    expect(json()).toMatchObject({
      contacts: { conflicts: [{ name: 'enrichment_credits' }] },
      companies: { conflicts: [], created: expect.arrayContaining(['enrichment_credits']) },
    });
    expect(code).toBe(1);
    const query = archived ? '?archived=true' : '';
    const left = await standIns.hubSpot('GET', `${PATH}/enrichment_credits${query}`);
    expect(left).toMatchObject({ type: 'string', archived });
  });
});
