import { expect, it } from 'vitest';
import { DEFAULT_COMPANY_FIELDS, DEFAULT_CONTACT_FIELDS } from '#inside/field-policy/default-fields.ts';
import type { Conversion } from '#inside/field-policy/field-rule.ts';
import { convertValue } from '#inside/field-policy/mapping/conversion.ts';
import { createMark, createNormalise, mapAnswer } from '#shared/field-policy';
import { decideWrites } from '#shared/ownership';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/settings.ts';
import { profileUrlOf, someCompany, somePerson } from '../../harness/people.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import {
  definitionOf,
  definitionsOf,
  INDUSTRY,
  optionsOf,
} from '../../unit/shared/field-policy/definitions.ts';
import { openPortal } from './portal.ts';
import { filesIn } from './sources.ts';

const SCOPES_WITHOUT_ACCOUNT = DEFAULT_SETTINGS.scopes.filter((scope) => scope !== 'oauth');
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
  // Passed on from HubSpot's answer, and only ever held against itself or the times of HubSpot's history: has anybody
  // written since we read?
  const passed = /^shared\/(?:hubspot\/|crm\/|enrichment\/write-back\/(?:by-history|journal-writes)\.ts)/;
  expect(using.map(({ path }) => path).filter((path) => !passed.test(path))).toEqual([]);
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
  return decideWrites({
    ...{ proposed, current: { [property]: current }, ownership: {}, verdicts: [] },
    ...{ request: { by: 'event' as const }, mark, normalise },
  }).writes;
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

it('trap 43: a rule of the admin on one value costs that value, not the record', async () => {
  const rule = {
    objectType: 'company',
    propertyName: 'city',
    ruleType: 'MAX_LENGTH',
    ruleArguments: ['1'],
  } as const;
  const world = await createWorld({ hubSpot: { valueRules: [rule] } });
  const record = await world.portal.create('companies', { domain: someCompany(world).domains[0] });
  await settleDown(world);
  const properties = await world.portal.properties(record);
  expect(properties).toMatchObject({ name: someCompany(world).name, enrichment_status: 'enriched' });
  expect(properties).not.toHaveProperty('city');
});

it('trap 44: an amount is written in the account’s own currency or not at all', async () => {
  const written: (string | undefined)[] = [];
  for (const hubSpot of [{ currency: 'USD' }, { currency: 'JPY' }, { scopes: SCOPES_WITHOUT_ACCOUNT }]) {
    const world = await createWorld();
    await world.portal.change(hubSpot);
    const { domains, revenue } = world.dataService.world.companies.find((one) => one.revenue) ?? {};
    const record = await world.portal.create('companies', { domain: domains?.[0] ?? '' });
    await settleDown(world);
    const {
      annualrevenue,
      hs_annual_revenue_currency_code: code,
      name,
    } = await world.portal.properties(record);
    expect(name).toBeDefined();
    written.push(annualrevenue === String(revenue?.amount) ? code : annualrevenue);
  }
  expect(written).toEqual(['USD', undefined, undefined]);
});

it('trap 45: whom somebody has associated with a company stays with it, whatever the answer says', async () => {
  const world = await createWorld();
  const theirs = await world.portal.create('companies', { name: 'Theirs' });
  const person = { hs_linkedin_url: profileUrlOf(somePerson(world)) };
  const contact = await world.portal.create('contacts', person, [theirs]);
  await world.portal.create('companies', { domain: somePerson(world).job.company.domains[0] });
  await settleDown(world);
  expect((await world.portal.properties(contact))['enrichment_status']).toBe('enriched');
  const { records } = await world.services.crm.read({
    objectType: 'contacts',
    ids: [contact.id],
    properties: ['associatedcompanyid'],
  });
  expect(records.get(contact.id)?.properties['associatedcompanyid']).toBe(theirs.id);
});

it('trap 46: a default property that the portal lacks is no failure and no message, a named one is told', async () => {
  const lackedProperties = ['hs_logo_url', 'web_technologies'];
  const named = { property: 'hs_logo_url', from: 'logoUrl', convert: 'url', write: 'ours' } as const;
  const told: unknown[] = [];
  for (const policy of [{}, { fields: { companies: [...DEFAULT_COMPANY_FIELDS, named] } }]) {
    const world = await createWorld({ policy, hubSpot: { lackedProperties } });
    const record = await world.portal.create('companies', { domain: someCompany(world).domains[0] });
    await settleDown(world);
    expect((await world.portal.properties(record))['enrichment_status']).toBe('enriched');
    const [entry] = await world.services.journal.ofRecord(record, 1);
    told.push(entry?.dropped);
  }
  expect(told).toMatchObject([undefined, [{ property: 'hs_logo_url', code: 'no-property' }]]);
});
