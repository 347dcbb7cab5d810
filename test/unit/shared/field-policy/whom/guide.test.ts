import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPARISON_NAMES, whomSchema } from '#inside/field-policy/whom/schemas.ts';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { parsePolicy, ruleFaults } from '#shared/field-policy';
import { createWorld } from '../../../../harness/world.ts';

const DOCS = join(import.meta.dirname, '../../../../../docs');
const GUIDE = readFileSync(join(DOCS, 'guides/policy.md'), 'utf8');
const REFERENCE = readFileSync(join(DOCS, 'reference/policy.md'), 'utf8');

/** The rows of a chapter of the reference. */
function rowsOf(chapter: string): readonly string[] {
  return (REFERENCE.split(`\n## ${chapter}\n`)[1]?.split('\n## ')[0] ?? '').split('\n');
}

const snippets = [...GUIDE.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => {
  const [, name = ''] = /name: '([^']+)'/.exec(code) ?? [];
  return { name, code };
});

describe('the rules for whom to enrich in the guide to the policy', () => {
  it('has four starting points', () => {
    expect(snippets.map(({ name }) => name)).toEqual([
      ...['business leads', 'customers', 'Europe without consent', 'no address'],
    ]);
  });

  it.each(snippets)('has a policy that can be used, whose rules go together: $name', async ({ code }) => {
    const { default: written } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const policy = parsePolicy(written);
    const { services } = await createWorld();
    const definitions = {
      contacts: await services.crm.definitions('contacts'),
      companies: await services.crm.definitions('companies'),
    };
    const faults = OBJECT_TYPES.flatMap((type) => ruleFaults(policy, type, definitions));
    expect(faults).toEqual([]);
  });

  it('names only properties that a new HubSpot account has', async () => {
    const { services } = await createWorld();
    const [contacts, companies] = [
      await services.crm.definitions('contacts'),
      await services.crm.definitions('companies'),
    ];
    const named = [...GUIDE.matchAll(/\b(?:property|companyProperty): '(\w+)'/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(contacts.has(name) || companies.has(name)))).toEqual([]);
  });

  it('leaves every comparison to the reference', () => {
    expect(
      COMPARISON_NAMES.filter(
        (name) => !rowsOf('Conditions').some((row) => row.startsWith(`| \`${name}\` |`)),
      ),
    ).toEqual([]);
  });

  it('leaves every setting of a rule, with its limits, to the reference', () => {
    const rowOf = (key: string) => rowsOf('Lookup rules').find((row) => row.startsWith(`| \`${key}\` |`));
    const settings = OBJECT_TYPES.flatMap(settingsOf).filter((key) => key !== 'when');
    expect(settings).toContain('technology');
    expect(settings.filter((key) => rowOf(key) === undefined)).toEqual([]);
    const isFine = (rule: object) => whomSchema.safeParse({ contacts: [{ name: 'a', ...rule }] }).success;
    expect([0, 1, 43_200, 43_201].map((waitMinutes) => isFine({ waitMinutes }))).toEqual(WITHIN);
    expect(rowOf('waitMinutes')).toMatch(/\b1\b.*\b43,200\b/);
    expect([0, 1].map((maxCredits) => isFine({ maxCredits }))).toEqual([false, true]);
    expect(rowOf('maxCredits')).toMatch(/\b1\b/);
    expect([0, 1, 60, 61].map((length) => isFine({ name: 'n'.repeat(length) }))).toEqual(WITHIN);
    expect(rowOf('name')).toMatch(/\b60\b/);
  });
});

/** Below the limit, at both limits, and above. */
const WITHIN = [false, true, true, false];

/** As the schema names them where it finds another. */
function settingsOf(objectType: ObjectType): readonly string[] {
  const { error } = whomSchema.safeParse({ [objectType]: [{ name: 'a', unheardOf: true }] });
  const [, known = ''] = /known are (.+)$/.exec(error?.issues[0]?.message ?? '') ?? [];
  return known.split(', ');
}
