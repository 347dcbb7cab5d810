import { expect, it } from 'vitest';
import { DEFAULT_COMPANY_FIELDS, DEFAULT_CONTACT_FIELDS } from '#shared/field-policy/default-fields.ts';
import type { Conversion } from '#shared/field-policy/field-rule.ts';
import { createMark } from '#shared/field-policy/last-written.ts';
import { convertValue } from '#shared/field-policy/mapping/conversion.ts';
import { mapAnswer } from '#shared/field-policy/mapping/map-answer.ts';
import { createNormalise } from '#shared/field-policy/normal-form.ts';
import { decideWrites } from '#shared/field-policy/overwrite.ts';
import { definitionOf, definitionsOf, INDUSTRY, optionsOf } from '../unit/shared/field-policy/definitions.ts';
import { openPortal } from './portal.ts';
import { filesIn } from './sources.ts';

const NUMBER = { type: 'number', fieldType: 'number' };

it('trap 19: labels become options, and neither ranges nor amounts with their currency become numbers', () => {
  const convert = (value: unknown, how: Conversion, definition = definitionOf('number', NUMBER)) =>
    convertValue({ value, convert: how, definition });
  expect(convert('Computer Software', 'option', INDUSTRY)).toMatchObject({ value: 'COMPUTER_SOFTWARE' });
  expect(convert('Widget Making', 'option', INDUSTRY).kind).toBe('unfit');
  for (const text of ['51-200', '10M', '12.5 million USD', '1,200', '10+'])
    expect(convert(text, 'number').kind).toBe('unfit');
  expect(convert(12_500_000, 'number')).toMatchObject({ value: '12500000' });
});

it('trap 20: what a value becomes follows from the portal’s own definition, not from its name', async () => {
  const client = openPortal().client();
  const rules = [{ property: 'industry', from: 'industry', convert: 'option', write: 'fill-blank' }] as const;
  const answer = { industry: 'Computer Software' };
  const values: Record<string, string | undefined> = {};
  for (const objectType of ['contacts', 'companies'] as const) {
    const listed = await client.listProperties(objectType);
    const definitions = new Map(listed.map((definition) => [definition.name, definition]));
    values[objectType] = mapAnswer({ rules, answer, definitions }).proposed[0]?.value;
  }
  expect(values).toEqual({ contacts: 'Computer Software', companies: 'COMPUTER_SOFTWARE' });
});

it('trap 21: no decision rests on a modified date, which our own writes move', () => {
  const using = ['functions', 'shared']
    .flatMap((folder) => filesIn(folder))
    .filter(({ text }) => /lastmodifieddate|notes_last_updated|updatedAtMs(?!:)/.test(text));
  // Where HubSpot's answer is read: the field is passed on and used by nobody.
  expect(using.map(({ path }) => path).filter((path) => !path.startsWith('shared/hubspot/'))).toEqual([]);
});

const domains = definitionOf('hs_additional_domains', {
  type: 'enumeration',
  fieldType: 'checkbox',
  options: optionsOf({ 'a.example': 'a', 'b.example': 'b' }),
});

/** What is written where the portal holds `current` and the answer says `value`. */
function written(property: string, { current, value }: { current: string; value: string }) {
  const definitions = definitionsOf(domains, definitionOf('jobtitle'));
  const rule = { property, from: property, convert: 'text', write: 'always' } as const;
  const proposed = [{ property, value, rule, appends: property === domains.name }];
  const normalise = createNormalise(definitions);
  const mark = createMark({ definitions, hash: (text) => text });
  return decideWrites({ proposed, current: { [property]: current }, lastWritten: {}, mark, normalise })
    .writes;
}

it('trap 22: a list is added to with a leading semicolon, and HubSpot keeps what was there', async () => {
  const writes = written(domains.name, { current: 'a.example', value: 'b.example' });
  expect(writes).toEqual({ hs_additional_domains: ';b.example' });
  const portal = openPortal();
  const properties = { hs_additional_domains: 'a.example' };
  const id = await portal.person('create', { objectType: 'company', properties });
  const updates = [{ id, properties: writes }];
  const attempt = await portal.client().updateBatch({ objectType: 'companies', updates });
  if (attempt.kind === 'failed') throw attempt.error;
  expect(attempt.updated[0]?.properties['hs_additional_domains']).toBe('a.example;b.example');
});

it.each([null, undefined, '', ' ', [], 'N/A', 'unknown'])(
  'trap 23: %j in an answer clears nothing, because it proposes nothing',
  (value) => {
    const definitions = definitionsOf(definitionOf('jobtitle'));
    const rules = [{ property: 'jobtitle', from: 'title', convert: 'text', write: 'always' }] as const;
    expect(mapAnswer({ rules, answer: { title: value }, definitions }).proposed).toEqual([]);
  },
);

it('trap 24: by default no stage, persona, role or owner is ever written', () => {
  const written = [...DEFAULT_CONTACT_FIELDS, ...DEFAULT_COMPANY_FIELDS].map(({ property }) => property);
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((name) => /stage|persona|owner|status|pipeline/.test(name))).toEqual([]);
});
