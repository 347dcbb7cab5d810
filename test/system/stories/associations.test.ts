import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;
interface Shown {
  readonly id: string;
  readonly objectType: string;
  readonly properties: Values;
}

/** Two people of one company: the data service knows the address of the one. */
interface Team {
  readonly reachable: Values;
  readonly silent: Values;
}

const PATIENCE = { timeout: 100_000, interval: 100 };

/** A stage whose system treats associations by this policy, and people of whom each is at a company of its own. */
function stageWith(policy: string | undefined) {
  let stage: Stage;
  let teams: readonly Team[];
  beforeAll(async () => {
    stage = await openStage();
    await stage
      .start(await stage.policy(policy === undefined ? {} : { associate: policy }))
      .line(/^Serving until/);
    const known = ((await stage.people(1_000)) as readonly Values[]).filter((each) => each['network_url']);
    teams = [...Map.groupBy(known, domainOf).values()].flatMap((colleagues) => {
      const [reachable, silent] = [true, false].map((has) =>
        colleagues.find((each) => (each['email'] !== undefined) === has),
      );
      return reachable && silent ? [{ reachable, silent }] : [];
    });
  });
  afterAll(() => stage.close());

  const create = async (
    objectType: 'contacts' | 'companies',
    properties: Values,
    associations: string[] = [],
  ) => String((await stage.atHubSpot('POST', 'create', { objectType, properties, associations }))['id']);
  const all = async () => (await stage.atHubSpot('GET', 'records'))['records'] as readonly Shown[];
  const valuesOf = async (id: string): Promise<Values> =>
    (await all()).find((one) => one.id === id)?.properties ?? {};
  return {
    create,
    edit: (id: string, properties: Values) =>
      stage.atHubSpot('POST', 'edit', { objectType: 'contacts', id, properties }),
    valuesOf,
    team: (n: number): Team => {
      const team = teams[n];
      if (!team) throw new Error(`The data service knows no ${n} companies with such people.`);
      return team;
    },
    shows: (id: string, what: object) =>
      vi.waitFor(async () => expect(await valuesOf(id)).toMatchObject(what), PATIENCE),
    companies: async (domain: string) =>
      (await all()).filter(
        ({ objectType, properties }) => objectType === 'company' && properties['domain'] === domain,
      ),
    associates: (contactId: string, companyId: string, primary = true) =>
      stage.atHubSpot('POST', 'associate', { contactId, companyId, primary }),
    parts: (contactId: string, companyId: string) =>
      stage.atHubSpot('POST', 'dissociate', { contactId, companyId }),
    asked: async (path: string): Promise<number> => {
      const { requests } = await stage.atHubSpot('GET', 'requests');
      const own = (requests as { path: string; count: number }[]).filter((each) => each.path.includes(path));
      return own.reduce((sum, { count }) => sum + count, 0);
    },
    /** What is known of a contact after so many runs at least, once nothing more is to be done. */
    settled: (id: string, runs = 1) =>
      vi.waitFor(async () => {
        await stage.workedOff();
        const explained = await stage.explain(id);
        expect(explained['runsOpened']).toBeGreaterThanOrEqual(runs);
        expect(explained).not.toHaveProperty('waiting');
        expect(explained).not.toHaveProperty('isUnderWay');
        return explained;
      }, PATIENCE),
    on: () => stage,
  };
}

const domainOf = (person: Values) => person['organizations.primary_domain'] ?? '';
const nameOf = (person: Values) => ({
  firstname: person['first_name'] ?? '',
  lastname: person['last_name'] ?? '',
});
const emailOf = (person: Values) => ({ email: person['email'] ?? '' });

describe('by default', () => {
  const { create, edit, team, shows, valuesOf, associates, parts, asked, settled, on } = stageWith(undefined);

  it('a contact with nothing but a name is looked up when somebody associates it with a company', async () => {
    const { reachable: person } = team(0);
    const company = await create('companies', { name: 'Somewhere', domain: domainOf(person) });
    const contact = await create('contacts', nameOf(person));
    await shows(contact, { enrichment_status: 'skipped' });
    await associates(contact, company);
    await shows(contact, { enrichment_status: 'enriched', jobtitle: person['title'] });
  });

  it('nothing is mixed in about a contact that changes its company while the question is asked', async () => {
    const { reachable: person } = team(1);
    const [here, there] = [
      await create('companies', { name: 'Here', domain: domainOf(person) }),
      await create('companies', { name: 'There', domain: 'there-and-nowhere.example' }),
    ];
    for (const company of [here, there]) await shows(company, { enrichment_status: expect.any(String) });
    await on().workedOff();
    const reads = () => asked('{objectType}/batch/read');
    await on().atDataService({ latencyMs: 5_000 });
    const before = await reads();
    const contact = await create('contacts', nameOf(person), [here]);
    // The contact, and its company: then the question is on its way.
    await vi.waitFor(async () => expect(await reads()).toBeGreaterThanOrEqual(before + 2), PATIENCE);
    await associates(contact, there);
    await shows(contact, { enrichment_status: 'unmatched' });
    await on().atDataService({ latencyMs: 0 });
    const values = await valuesOf(contact);
    for (const property of ['jobtitle', 'email', 'company', 'hs_linkedin_url'])
      expect(values).not.toHaveProperty(property);
  });

  it('a contact whose answer names a known company is associated once, which is no news to anybody', async () => {
    const { silent: person } = team(2);
    const company = await create('companies', { name: 'Known', domain: domainOf(person) });
    await shows(company, { enrichment_status: 'enriched' });
    const contact = await create('contacts', {
      hs_linkedin_url: person['network_url'] ?? '',
      company: person['organizations.name'] ?? '',
      website: 'https://www.facebook.com/somebody',
    });
    await shows(contact, { associatedcompanyid: company, enrichment_status: 'enriched' });
    const before = await valuesOf(contact);
    // HubSpot has told the app's id, so that the event of our own association opens no run.
    const { outcome, creditsSpent, runs, runsOpened } = await settled(contact);
    expect({ kind: Object(outcome).kind, runsOpened }).toEqual({ kind: 'enriched', runsOpened: 1 });
    expect(creditsSpent).toBe(Number(before['enrichment_credits']));
    expect(JSON.stringify(Object(runs)[0].association)).toContain(company);
    expect(await valuesOf(contact)).toEqual(before);
    expect((await on().run('explain', `contacts/${contact}`)).out).toContain(company);
    expect(await asked('associate/default')).toBe(1);
  });

  it('and stays without a company when somebody takes it away', async () => {
    const { silent } = team(3);
    // The data service knows no address of the person, so that there is something to be asked again.
    const company = await create('companies', { name: 'Left', domain: domainOf(silent) });
    await shows(company, { enrichment_status: 'enriched' });
    const contact = await create('contacts', { hs_linkedin_url: silent['network_url'] ?? '' });
    await shows(contact, { associatedcompanyid: company });
    const { runsOpened } = await settled(contact);
    const calls = await asked('associate/default');
    await parts(contact, company);
    await edit(contact, { phone: '+1 415 555 0100' });
    await settled(contact, Number(runsOpened) + 1);
    expect(await valuesOf(contact)).not.toHaveProperty('associatedcompanyid');
    expect(await asked('associate/default')).toBe(calls);
  });

  it('none is associated where two companies have the domain, or where HubSpot refuses', async () => {
    const [twice, refused] = [team(4).reachable, team(5).reachable];
    for (const name of ['One', 'Another']) await create('companies', { name, domain: domainOf(twice) });
    const only = await create('companies', { name: 'Only', domain: domainOf(refused) });
    await shows(only, { enrichment_status: 'enriched' });
    const faults = [{ path: 'associate/default', kind: 'status', status: 403, rate: 1 }];
    await on().atHubSpot('PUT', 'settings', { faults });
    const contacts = [await create('contacts', emailOf(twice)), await create('contacts', emailOf(refused))];
    for (const contact of contacts) {
      await shows(contact, { enrichment_status: 'enriched' });
      expect(await settled(contact)).toMatchObject({
        runs: [{ outcome: 'enriched', association: expect.anything() }],
      });
      expect(await valuesOf(contact)).not.toHaveProperty('associatedcompanyid');
    }
  });
});

describe('where companies are created', () => {
  const { create, team, shows, valuesOf, companies, on } = stageWith('create');

  it('two contacts of one unknown company make one, and so does a third that the search is too late for', async () => {
    await on().atHubSpot('PUT', 'settings', { searchDelayMs: 600_000 });
    const { reachable, silent } = team(0);
    const domain = domainOf(reachable);
    const both = await Promise.all([
      create('contacts', emailOf(reachable)),
      create('contacts', { ...nameOf(silent), website: domain }),
    ]);
    for (const contact of both) await shows(contact, { associatedcompanyid: expect.any(String) });
    const third = await create('contacts', { hs_linkedin_url: silent['network_url'] ?? '' });
    await shows(third, { associatedcompanyid: expect.any(String) });
    const [company, ...more] = await companies(domain);
    expect(more).toEqual([]);
    for (const contact of [...both, third])
      expect(await valuesOf(contact)).toMatchObject({ associatedcompanyid: company?.id });
    await shows(company?.id ?? '', { enrichment_status: 'enriched', name: reachable['organizations.name'] });
  });
});

describe('where nothing is associated', () => {
  const { create, team, shows, valuesOf, asked, on } = stageWith('never');

  it('a contact of a known company stays alone', async () => {
    const { reachable } = team(0);
    const company = await create('companies', { name: 'Known', domain: domainOf(reachable) });
    await shows(company, { enrichment_status: 'enriched' });
    const contact = await create('contacts', emailOf(reachable));
    await shows(contact, { enrichment_status: 'enriched' });
    await on().workedOff();
    expect(await valuesOf(contact)).not.toHaveProperty('associatedcompanyid');
    expect(await asked('/crm/associations')).toBe(0);
  });
});
