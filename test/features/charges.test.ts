import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { createHandler } from '../../functions/report-spend/handler.ts';
import { contact, someCompany } from '../harness/people.ts';
import { refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

function reporter({ services, clock, policy }: World) {
  const quiet = () => undefined;
  const handler = createHandler({
    spendBook: services.spendBook,
    ledger: services.questions.ledger,
    ledgerStore: services.ledgerStore,
    states: services.records,
    journal: services.journal,
    reviews: services.reviews,
    place: async () => ({}),
    clock,
    timeZone: policy.timeZone,
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  return async (rawPath: string, query = {}) => {
    const requestContext = { http: { method: 'GET' } };
    return (await handler({ rawPath, requestContext, rawQueryString: new URLSearchParams(query).toString() }))
      .body;
  };
}

describe('the charges of a world', () => {
  it('are, record by record, what the records say that was charged for them', async () => {
    const world = await createWorld();
    for (let nth = 0; nth < 6; nth += 1) await contact(world, nth);
    await world.portal.create('companies', { domain: someCompany(world).domains[0] ?? '' });
    await world.portal.create('contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-at-all' });
    await settleDown(world);
    await refreshAfter(world, 400 * DAY_MS);
    const byRecord = new Map<string, number>();
    for (const { kind, record = 'none', amountCredits } of await world.ledger())
      if (kind === 'posted') byRecord.set(record, (byRecord.get(record) ?? 0) + amountCredits);
    const states = (await world.states()).filter(({ creditsSpent }) => creditsSpent > 0);
    expect(states.length).toBeGreaterThan(5);
    expect(Object.fromEntries(byRecord)).toEqual(
      Object.fromEntries(states.map((state) => [recordKey(state), state.creditsSpent])),
    );
  });

  it('are told with their records and their reasons, and without a value of them', async () => {
    const world = await createWorld();
    const record = await contact(world, 0);
    await settleDown(world);
    const ask = reporter(world);
    const list = await ask('/spend/charges');
    const page = await ask('/spend/record', { type: 'contacts', id: record.id });
    expect(list).toContain(`Contact ${record.id}`);
    expect(page).toContain('jobtitle');
    const { jobtitle, email } = await world.portal.properties(record);
    expect(jobtitle).toBeTruthy();
    for (const html of [list, page, await ask('/spend/waiting')]) {
      expect(html).not.toContain(jobtitle);
      if (email) expect(html).not.toContain(email);
    }
  });
});
