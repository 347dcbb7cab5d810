import type { PolicyInput } from '#shared/field-policy';
import { MINUTE_MS } from '#shared/kernel';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { profileUrlOf, somePerson } from '../builders/people.ts';
import { applied, compared } from '../builders/policy-change.ts';
import { createWorld } from '../builders/world.ts';
import { type Row, table } from './table.ts';

const SIZES = [100, 1_000, 10_000];
/** Number of the data service's people. Each is several contacts. */
const PEOPLE = 50;
/** One contact in this many has a job title that a person has written. */
const TYPED = 10;
/** Number of contacts that are checked afterwards. */
const LOOKED_AT = 100;
const TITLE = 'As somebody says';

const CHANGE: Omit<PolicyInput, 'budgets'> = {
  fields: {
    contacts: { fax: { from: 'name', convert: 'text', write: 'ours' }, jobtitle: { write: 'ours' } },
  },
};

/**
 * Measures HubSpot requests and credits when a changed mapping is applied to stored answers. In virtual time, over the
 * two stand-ins.
 */
export async function measurePolicyApply(): Promise<string> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(size));
  const header = ['contacts', 'values foretold', 'written', 'credits', 'HubSpot requests', 'a record'];
  return table([...header, "people's values lost"], rows);
}

async function measure(size: number): Promise<Row> {
  const { world, typed } = await enriched(size);
  const charged = world.charged();
  const { apply } = (await compared(world, CHANGE)).writes;
  world.wire.forget();
  const { written } = await applied(world, CHANGE);
  const requests = world.wire.hubSpotRequests().length;
  const titles = await Promise.all(
    typed.map(async (record) => (await world.portal.properties(record))['jobtitle']),
  );
  return [
    size.toLocaleString('en'),
    apply.values.toLocaleString('en'),
    written.values.toLocaleString('en'),
    world.charged() - charged,
    requests,
    (requests / written.records).toFixed(3),
    titles.filter((title) => title !== TITLE).length,
  ];
}

/** Creates enriched contacts with companies. A tenth of them have a title that a person wrote. */
async function enriched(size: number) {
  const world = await createWorld({
    policy: { budgets: { perDay: 1_000_000 }, questions: { wantEmail: false } },
    dataService: { rateLimitPerMinute: 100_000, latencyMs: 1 },
  });
  const [companies, typed]: [RecordName[], RecordName[]] = [[], []];
  for (let nth = 0; nth < PEOPLE; nth += 1) {
    const [domain] = somePerson(world, nth).job.company.domains;
    companies.push(await world.portal.create('companies', { domain }));
  }
  for (let nth = 0; nth < size; nth += 1) {
    const properties = {
      hs_linkedin_url: profileUrlOf(somePerson(world, nth % PEOPLE)),
      ...(nth % TYPED === 0 && { jobtitle: TITLE }),
    };
    const company = companies[nth % PEOPLE];
    const made = await world.portal.create('contacts', properties, company ? [company] : []);
    if (nth % TYPED === 0 && typed.length < LOOKED_AT) typed.push(made);
  }
  for (let open = size; open > 0; ) {
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    const states = await world.states();
    open = size + PEOPLE - states.filter(({ run, answeredQuestion }) => !run && answeredQuestion).length;
  }
  return { world, typed };
}
