import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

it('a first installation in shadow writes nothing until somebody accepts it, and then at no cost', async () => {
  const { POLICY } = await stage.policy({ mode: 'shadow' });
  const system = stage.start({ POLICY });
  await system.line(/^Serving until/);
  const review = async (...words: readonly string[]) =>
    JSON.parse((await stage.run('--policy', POLICY, 'review', ...words, '--json')).out);
  const person = (await stage.people()).find(({ email }) => typeof email === 'string');
  const properties = { email: person?.['email'] };
  const { id } = await stage.atHubSpot('POST', 'create', { objectType: 'contacts', properties });
  const contact = async () => {
    const { records } = await stage.atHubSpot('GET', 'records');
    return (records as { id: string; properties: object }[]).find((one) => one.id === id)?.properties;
  };
  const name = `contacts/${String(id)}/proposal`;
  await vi.waitFor(async () => expect(await review('list')).toMatchObject([{ id: name, state: 'open' }]), {
    timeout: 100_000,
    interval: 500,
  });
  const bill = await stage.bill();
  expect(bill).toBeGreaterThan(0);
  expect(await contact()).not.toHaveProperty('firstname');
  expect(await contact()).not.toHaveProperty('enrichment_status');
  const exported = await review('export');
  expect(exported).toContainEqual(expect.objectContaining({ id: name, property: 'firstname', now: '' }));
  expect(await review('accept', name, '--yes')).toMatchObject([{ result: 'done', kept: [] }]);
  expect(await contact()).toMatchObject({ firstname: expect.any(String), enrichment_status: 'enriched' });
  expect(await review('list')).toEqual([]);
  expect(await stage.bill()).toBe(bill);
  await system.interrupt();
});
