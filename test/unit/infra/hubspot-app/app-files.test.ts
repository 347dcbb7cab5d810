import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';
import { ADDRESSED_FILES, writeApp } from '../../../../infra/aws/deploy/app-files.ts';
import { ADDRESS } from '../../../../infra/hubspot-app/src/app/cards/address.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCE = join(ROOT, 'infra/hubspot-app/src');
const APP = join(SOURCE, 'app');
const read = (name: string) => JSON.parse(readFileSync(join(APP, name), 'utf8'));

const CARDS = ['cards/enrichment-tab-hsmeta.json', 'cards/enrichment-sidebar-hsmeta.json'];
const ACTION = 'workflow-actions/enrich-record-hsmeta.json';
const WEBHOOKS = 'webhooks/webhooks-hsmeta.json';
const PAGES = 'pages/pages-hsmeta.json';
const FILES = ['app-hsmeta.json', WEBHOOKS, ACTION, ...CARDS, PAGES];

/** The keys that HubSpot's own templates for these parts have, in a form of our own. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  app: ['auth', 'description', 'distribution', 'name', 'permittedUrls'],
  webhooks: ['settings', 'subscriptions'],
  page: ['entrypoint'],
  card: ['entrypoint', 'location', 'name', 'objectTypes'],
  'workflow-action': [
    ...[
      'actionUrl',
      'inputFields',
      'isPublished',
      'labels',
      'objectTypes',
      'outputFields',
      'supportedClients',
    ],
  ],
};

describe("the app's files", () => {
  it.each(FILES)('have the shape of their part: %s', (name) => {
    const file = read(name);
    expect(Object.keys(file).toSorted()).toEqual(['config', 'type', 'uid']);
    expect(Object.keys(file.config).toSorted()).toEqual(SHAPES[file.type]);
    expect(file.uid).toMatch(/^[a-z0-9_]{1,64}$/);
  });

  it('have a uid each', () => {
    expect(new Set(FILES.map((name) => read(name).uid)).size).toBe(FILES.length);
  });

  it('name one address, below which the card may fetch and the action is', () => {
    expect(read('webhooks/webhooks-hsmeta.json').config.settings.targetUrl).toBe(ADDRESS);
    expect(read('app-hsmeta.json').config.permittedUrls).toEqual({ fetch: [ADDRESS], iframe: [], img: [] });
    expect(read(ACTION).config.actionUrl).toBe(`${ADDRESS}/workflow-actions/enrich`);
  });

  it.each(CARDS)('put the card where its entry is: %s', (name) => {
    const { entrypoint, objectTypes, location } = read(name).config;
    expect(readFileSync(join(SOURCE, entrypoint), 'utf8')).toContain('hubspot.extend<');
    expect(objectTypes).toEqual(['contacts', 'companies']);
    expect(name).toContain(location.replace('crm.record.', ''));
  });

  it('put the pages where their entry is', () => {
    const { entrypoint } = read(PAGES).config;
    expect(readFileSync(join(SOURCE, entrypoint), 'utf8')).toContain("hubspot.extend<'pages'>");
  });

  it("give the workflow's action the outputs that it is told", () => {
    const { outputFields, labels, objectTypes, inputFields } = read(ACTION).config;
    const names = outputFields.map(
      ({ typeDefinition }: { typeDefinition: { name: string } }) => typeDefinition.name,
    );
    expect(names).toEqual(['outcome', 'credits', 'reason']);
    expect(Object.keys(labels.en.outputFieldLabels)).toEqual(names);
    expect([objectTypes, inputFields]).toEqual([['CONTACT', 'COMPANY'], []]);
  });

  it.each(['cards', 'pages'])('have the libraries that they are tested with: %s', (folder) => {
    const { dependencies, devDependencies } = read(`${folder}/package.json`);
    const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, root[name]]).toEqual([name, version]);
  });
});

describe('a deployment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubspot-app-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (name: string) => readFileSync(join(folder, name), 'utf8');
  const deployed = (address: string, rules: PolicyInput['whom'] = {}) => {
    const { whom } = parsePolicy({ budgets: { perDay: 1 }, whom: rules });
    return writeApp({ address, whom }, folder);
  };
  const watched = () =>
    JSON.parse(written(WEBHOOKS)).config.subscriptions.crmObjects.map(
      ({ objectType, propertyName }: Record<string, string>) => `${objectType} ${propertyName}`,
    );

  it("writes its address into the app's files, once", () => {
    cpSync(APP, folder, { recursive: true });
    const address = 'https://hooks.crm.example/hubspot';
    expect(deployed(address)).toHaveLength(1);
    expect(deployed(address)).toEqual([]);
    for (const name of ADDRESSED_FILES) {
      expect(written(name)).toContain(address);
      expect(written(name)).not.toContain(ADDRESS);
    }
  });

  it("writes the subscriptions of the policy's rules, once, and says that the app must be uploaded", () => {
    cpSync(APP, folder, { recursive: true });
    const before = written(WEBHOOKS);
    const rules = {
      contacts: [
        { name: 'a', when: [{ property: 'lifecyclestage', is: 'customer' }, { email: 'business' as const }] },
        {
          name: 'b',
          when: [
            { companyProperty: 'industry', is: 'X' },
            { property: 'hs_lastmodifieddate', before: 9 },
          ],
        },
      ],
      companies: [{ name: 'c', when: [{ property: 'type', is: 'X' }] }],
    };
    expect(deployed(ADDRESS, rules)).toHaveLength(1);
    expect(watched()).toEqual(expect.arrayContaining(['contact lifecyclestage', 'company type']));
    expect(watched()).not.toContain('contact hs_lastmodifieddate');
    expect(deployed(ADDRESS, rules)).toEqual([]);
    expect(deployed(ADDRESS)).toHaveLength(1);
    expect(written(WEBHOOKS)).toBe(before);
  });
});
