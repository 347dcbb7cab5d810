import { expect, it } from 'vitest';
import { OBJECT_TYPES } from '#shared/crm';
import { parsePolicy } from '#shared/field-policy';
import { openPortal } from '../../contract/traps/portal.ts';
import { coverageTables, mappings, newDefinitions } from './coverage.ts';
import { tablesInPage } from './page.ts';

it('the mapping page says what is measured: npm run mapping -- --write', async () => {
  expect(tablesInPage()).toBe(await coverageTables());
});

it.each(OBJECT_TYPES)(
  'HubSpot takes every value that is proposed for 300 generated %s',
  async (objectType) => {
    const portal = openPortal();
    const all = mappings(objectType, 'everything', await newDefinitions(objectType));
    const updates: { id: string; properties: Record<string, string> }[] = [];
    for (const { proposed } of all) {
      const id = await portal.person('create', { objectType, properties: {} });
      updates.push({ id, properties: Object.fromEntries(proposed.map((one) => [one.property, one.value])) });
    }
    for (let start = 0; start < updates.length; start += 100) {
      const sent = updates.slice(start, start + 100);
      const attempt = await portal.client().updateBatch({ objectType, updates: sent });
      if (attempt.kind === 'failed') throw attempt.error;
      expect(attempt.failed).toEqual([]);
      expect(attempt.updated).toHaveLength(100);
      for (const { id, properties } of attempt.updated)
        expect(properties).toMatchObject(sent.find((one) => one.id === id)?.properties ?? {});
    }
  },
);

it.each(OBJECT_TYPES)(
  'no default field of %s is in vain: each fills something or backs one that does',
  async (objectType) => {
    const proposed = mappings(objectType, 'everything', await newDefinitions(objectType)).flatMap(
      (one) => one.proposed,
    );
    const filled = new Set(proposed.map(({ property }) => property));
    const properties = parsePolicy({ budgets: { perDay: 1 } }).fields[objectType].map(
      ({ property }) => property,
    );
    const vain = properties.filter((property) => !filled.has(property));
    const due = `Nothing fills ${vain.join(', ')}. The stand-in must answer the key (infra/sandbox/data-service/records.ts), and its HubSpot must have the property (infra/sandbox/hubspot/properties.ts).`;
    expect(vain, due).toEqual([]);
  },
);
