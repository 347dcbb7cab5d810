import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Crm, CrmRecord } from '#shared/crm';
import { comparePolicies } from '#shared/enrichment';
import { parsePolicy } from '#shared/field-policy';
import { SECOND_MS } from '#shared/kernel';
import type { RecordState } from '#shared/records';
import { contact, someCompany } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';
import { type Row, table } from './table.ts';

const SIZES = [1_000, 10_000, 100_000];
const CONTACTS = 60;
const COMPANIES = 30;
const PAGE = 250;
const MEGABYTE = 1_000_000;
const LOOK_EVERY = 5_000;

setFlagsFromString('--expose_gc');
const collect: () => void = runInNewContext('gc');

function heapInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Measures the time of a comparison over stored answers, and its memory. */
export async function measurePolicyCompare(): Promise<string> {
  const sample = await takeSample();
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(sample, size));
  const header = [
    'stored answers',
    'seconds',
    'of a processor',
    'answers a second',
    'MB of heap in use at most',
  ];
  return [table(header, rows), EXPLANATION].join('\n\n');
}

const EXPLANATION = `One process. ${CONTACTS} contacts and ${COMPANIES} companies as the system leaves them, again and again under other ids: each is
read, unpacked, and planned under both policies. The heap holds the sample's whole world too. HubSpot and DynamoDB answer at once.`;

async function takeSample() {
  const world = await createWorld({ policy: { budgets: { perDay: 100_000 } } });
  for (let nth = 0; nth < CONTACTS; nth += 1) await contact(world, nth);
  for (let nth = 0; nth < COMPANIES; nth += 1)
    await world.portal.create('companies', { domain: someCompany(world, nth).domains[0] });
  await settleDown(world);
  const states = (await world.states()).filter(({ answeredQuestion }) => answeredQuestion !== undefined);
  return { world, states };
}

interface Sample {
  readonly world: World;
  readonly states: readonly RecordState[];
}

async function measure({ world, states }: Sample, size: number): Promise<Row> {
  const { services, policy, clock } = world;
  const fields = {
    contacts: { fax: { from: 'name', convert: 'text', write: 'ours' }, jobtitle: { write: 'always' } },
    companies: { city: { write: 'always' } },
  } as const;
  const after = parsePolicy({ version: 'wider', budgets: { perDay: 1_000 }, fields });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const common = { policy, clock, newId: () => 'id', logger: silent, installedAtMs: 0, ownAppId: '7001' };
  const records = { ...services.records, page: pagesOf(states, size) };
  const crm = repeated(services.crm);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let mostBytes = heapInUse();
  let nextAt = LOOK_EVERY;
  const comparison = await comparePolicies(
    { ...services, ...common, records, crm },
    {
      ...{ before: policy, after },
      onProgress: (seen) => {
        if (seen < nextAt) return;
        nextAt += LOOK_EVERY;
        mostBytes = Math.max(mostBytes, heapInUse());
      },
    },
  );
  const seconds = (performance.now() - startedAt) / SECOND_MS;
  const used = process.cpuUsage(cpu);
  const { records: compared, totals } = comparison.writes;
  if (compared !== size || totals.added === 0) throw new Error(`Only ${compared} of ${size} were compared.`);
  return [
    size.toLocaleString('en'),
    seconds.toFixed(1),
    ((used.user + used.system) / MEGABYTE).toFixed(1),
    Math.round(size / seconds).toLocaleString('en'),
    Math.round(mostBytes / MEGABYTE),
  ];
}

/** `<id of the sample>0<number>`; all in one place of the index. */
function pagesOf(states: readonly RecordState[], size: number): World['services']['records']['page'] {
  return async ({ partition, after }) => {
    if (partition !== 'settled') return { values: [] };
    const from = Number(after ?? 0);
    const count = Math.min(PAGE, size - from);
    const values = Array.from({ length: count }, (_, nth) => {
      const state = states[(from + nth) % states.length];
      if (!state) throw new Error('The sample is empty.');
      return { ...state, id: `${state.id}-${from + nth}` };
    });
    return { values, ...(from + count < size && { next: String(from + count) }) };
  };
}

/** Returns each item under the id of its sample, which is read once. */
function repeated(crm: Crm): Crm {
  const read = new Map<string, CrmRecord | undefined>();
  return {
    ...crm,
    read: async (query) => {
      const samples = query.ids.map((id) => id.split('-')[0] ?? '');
      const missing = [...new Set(samples)].filter((id) => !read.has(id));
      if (missing.length > 0) {
        const { records } = await crm.read({ ...query, ids: missing });
        for (const id of missing) read.set(id, records.get(id));
      }
      const found = query.ids.flatMap((id, nth): [string, CrmRecord][] => {
        const record = read.get(samples[nth] ?? '');
        return record ? [[id, { ...record, id }]] : [];
      });
      return { records: new Map(found), failed: new Map() };
    },
  };
}
