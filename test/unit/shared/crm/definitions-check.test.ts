import { expect, it } from 'vitest';
import { createDefinitionsCheck } from '#inside/crm/definitions-check.ts';
import type { PropertyDefinition, PropertyDefinitions } from '#shared/crm';

const defining = (...names: string[]): PropertyDefinitions =>
  new Map(names.map((name) => [name, { name } as PropertyDefinition]));

/** Definitions that are kept, and those that HubSpot has by now. */
function kept(names: readonly string[] | undefined, now: readonly string[]) {
  let value = names && Promise.resolve(defining(...names));
  const asked = { reads: 0 };
  const read = () => {
    value ??= Promise.resolve(defining(...now)).finally(() => {
      asked.reads += 1;
    });
    return value;
  };
  const forget = () => {
    value = undefined;
  };
  return { asked, read, check: createDefinitionsCheck({ read, kept: () => value, forget }) };
}

const blank = { properties: { tier: null } };
const without = { properties: {} };

it('reads definitions anew when a record lacks a property that they name', async () => {
  const { check, read, asked } = kept(['tier'], []);
  await check.refreshIfContradicted('contacts', ['tier'], [blank]);
  expect(asked.reads).toBe(0);
  await check.refreshIfContradicted('contacts', ['tier'], [blank, without]);
  expect((await read()).has('tier')).toBe(false);
  await check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect(asked.reads).toBe(1);
});

it('reads them anew when a record has a property that they do not name', async () => {
  const { check, read } = kept([], ['tier']);
  await check.refreshIfContradicted('contacts', ['tier'], [blank]);
  expect((await read()).has('tier')).toBe(true);
});

it('reads them once for a property that HubSpot defines and leaves out all the same', async () => {
  const { check, asked } = kept(['tier'], ['tier']);
  for (let batch = 0; batch < 3; batch += 1)
    await check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect(asked.reads).toBe(1);
});

it('reads nothing for properties that are not asked for, and while none are kept', async () => {
  const { check, asked } = kept(['tier'], ['tier']);
  await check.refreshIfContradicted('contacts', ['other'], [without]);
  const none = kept(undefined, ['tier']);
  await none.check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect([asked.reads, none.asked.reads]).toEqual([0, 0]);
});
