import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

type Faults = NonNullable<Parameters<World['changeService']>[0]['faults']>;
const ALL: Faults = [{ kind: 'status', status: 503 }];
/** The free key check is answered all the time. */
const QUESTIONS: Faults = [{ kind: 'status', status: 503, operation: 'people-profile' }];
const OUTAGE_MS = 2 * HOUR_MS;
const LEAD_EVERY_MS = 10 * MINUTE_MS;

/** The data service fails for two hours, while a lead comes every ten minutes. Then it works again. */
async function afterOutage(perDay: number, faults = ALL) {
  const world = await createWorld({ policy: { budgets: { perDay } } });
  await world.changeService({ faults });
  const leads: RecordName[] = [];
  for (let ms = 0; ms < OUTAGE_MS; ms += LEAD_EVERY_MS) {
    leads.push(await contact(world, leads.length));
    await liveOn(world, { forMs: LEAD_EVERY_MS });
  }
  await world.changeService({ faults: [] });
  return { world, leads };
}

async function endsOf(world: World, leads: readonly RecordName[]) {
  const ends = await Promise.all(
    leads.map(async (lead) => (await world.state(lead))?.outcome?.kind ?? 'none'),
  );
  return {
    enriched: ends.filter((end) => end === 'enriched').length,
    failed: ends.filter((end) => end === 'failed').length,
    waiting: ends.filter((end) => end === 'none').length,
  };
}

describe('an outage of two hours, with a lead every ten minutes', () => {
  it.each([
    ['of everything', ALL, 3],
    ['of questions only, with 10 credits an hour for tests', QUESTIONS, 10],
  ])('%s: half an hour later every lead without a doubt is enriched', async (_, faults, mostDoubts) => {
    const { world, leads } = await afterOutage(1_000, faults);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const { enriched, failed, waiting } = await endsOf(world, leads);
    expect(waiting).toBe(0);
    expect(failed).toBeLessThanOrEqual(mostDoubts);
    expect(enriched + failed).toBe(leads.length);
  });

  it('with a budget of 25 credits a day spends what the doubts leave, and the next day is normal', async () => {
    const { world, leads } = await afterOutage(25);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const [day] = (await world.services.ledger.now()).states();
    expect(day?.leftCredits).toBeLessThan(3);
    await liveOn(world, { forMs: 25 * HOUR_MS, everyMs: 2 * HOUR_MS });
    const { waiting, failed } = await endsOf(world, leads);
    expect(waiting).toBe(0);
    expect(failed).toBeLessThanOrEqual(3);
  });
});
