import { DAY_MS, HOUR_MS, MINUTE_MS } from '#inside/kernel/clock.ts';
import { contact, someCompany } from '../builders/people.ts';
import { liveOn, settleDown } from '../builders/steps.ts';
import { createWorld } from '../builders/world.ts';
import { type Row, table } from './table.ts';

const SIZES = [100, 300, 900];
const AGE_MS = 90 * DAY_MS + HOUR_MS;

/** Measures the requests of a refresh of companies that are a year older, with a lead in between. In virtual time. */
export async function measureCompaniesBySearch(): Promise<string> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(size));
  const columns = [
    'companies',
    'done',
    'requests',
    'credits',
    'HubSpot requests a company',
    'wait of a lead',
  ];
  return table(columns, rows);
}

async function measure(size: number): Promise<Row> {
  const world = await createWorld({
    policy: { budgets: { perDay: 100_000 } },
    dataService: { rateLimitPerMinute: 100_000, creditBalance: 1_000_000 },
  });
  for (let index = 0; index < size; index += 1)
    await world.portal.create('companies', { domain: someCompany(world, index).domains[0] });
  await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
  await world.clock.sleep(AGE_MS);
  await world.changeService({ rateLimitPerMinute: 20 });
  world.wire.forget();
  const before = world.charged();
  await world.processes.refresh();
  const begunAtMs = world.clock.now();
  const lead = await contact(world, 0);
  await settleDown(world);
  const leadMs = ((await world.state(lead))?.outcome?.atMs ?? Number.NaN) - begunAtMs;
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  const batches = world.wire.hubSpotRequests().filter((path) => path.includes('/batch/')).length;
  const states = (await world.states()).filter(({ objectType }) => objectType === 'companies');
  const done = states.filter(({ run, runsOpened }) => runsOpened === 2 && run === undefined).length;
  const requests = world.wire.questions().filter((path) => path.includes('/company/')).length;
  const credits = world.charged() - before;
  return [size, done, requests, credits, (batches / size).toFixed(3), `${Math.round(leadMs / 1_000)} s`];
}
