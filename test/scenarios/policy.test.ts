import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const CHANGES = {
  fields: {
    contacts: {
      jobtitle: { write: 'never' },
      message: { from: 'title', convert: 'text', write: 'fill-blank' },
      city: { write: 'always' },
    },
  },
};

it('takes what differs from the defaults, on the laptop and at the command line alike', async () => {
  const { POLICY } = await stage.policy(CHANGES);
  const system = stage.start({ POLICY });
  await system.line(/^Serving until/);
  const email = (await stage.people()).map((each) => each['email']).find((each) => typeof each === 'string');
  const properties = { email, city: 'Nowhere' };
  const { id } = await stage.atHubSpot('POST', 'create', { objectType: 'contacts', properties });
  await vi.waitFor(
    async () => {
      const { records } = await stage.atHubSpot('GET', 'records');
      const found = (records as { id: string; properties: object }[]).find((one) => one.id === id);
      expect(found?.properties).toMatchObject({
        enrichment_status: 'enriched',
        firstname: expect.any(String),
        message: expect.any(String),
      });
      expect(found?.properties).not.toMatchObject({ city: 'Nowhere' });
      expect(found?.properties).not.toHaveProperty('jobtitle');
    },
    { timeout: 100_000, interval: 200 },
  );
  const told = JSON.parse((await stage.run('--policy', POLICY, 'policy', 'check', '--json')).out);
  expect(told.fields.contacts).toMatchObject({ never: 1, always: 1 });
  await system.interrupt();
});

it('refuses a property that the account lacks before anything is spent, and names it', async () => {
  const change = { tastes: { from: 'title', convert: 'text', write: 'fill-blank' } };
  const { ended } = stage.start(await stage.policy({ fields: { contacts: change } }));
  const { code, err } = await ended;
  expect(code).toBe(1);
  expect(err).toContain('tastes');
});

it.each([
  [{ jobtitle: { write: 'sometimes' } }, 'fields.contacts.jobtitle.write'],
  [{ tastes: { from: 'title' } }, 'fields.contacts.tastes'],
  [{ jobtitle: { from: 'titel' } }, 'fields.contacts.jobtitle.from'],
])('refuses %j and names the file and the key', async (contacts, key) => {
  const { POLICY } = await stage.policy({ fields: { contacts } });
  const { code, err } = await stage.start({ POLICY }).ended;
  expect(code).toBe(1);
  expect(err).toContain(POLICY);
  expect(err).toContain(key);
  expect(err).not.toContain('    at ');
});
