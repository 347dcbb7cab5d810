import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openSlowPost } from './slow-post.ts';
import { openStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;

const PATIENCE = { timeout: 100_000, interval: 100 };

const shows = (read: () => Promise<unknown>, what: object) =>
  vi.waitFor(async () => expect(await read()).toMatchObject(what), PATIENCE);

/** A stage with a running system, closed when the story is over. */
async function onStage(story: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage();
  try {
    await story(stage);
  } finally {
    await stage.close();
  }
}

async function newContact(stage: Stage): Promise<string> {
  const email = (await stage.people()).find((each) => typeof each['email'] === 'string')?.['email'];
  const created = await stage.atHubSpot('POST', 'create', { objectType: 'contacts', properties: { email } });
  return String(created['id']);
}

async function propertiesOf(stage: Stage, id: string): Promise<Values> {
  const { records } = await stage.atHubSpot('GET', 'records?kind=contacts');
  return (records as { id: string; properties: Values }[]).find((one) => one.id === id)?.properties ?? {};
}

const types = (stage: Stage, id: string, properties: Values) =>
  stage.atHubSpot('POST', 'edit', { objectType: 'contacts', id, properties });

/** How often HubSpot was asked to update, whatever became of it. */
async function attempts(stage: Stage): Promise<number> {
  const { requests } = await stage.atHubSpot('GET', 'requests');
  const updates = (requests as { path: string; count: number }[]).filter(({ path }) =>
    /batch\/update$/.test(path),
  );
  return updates.reduce((sum, { count }) => sum + count, 0);
}

const enrichedIn = (stage: Stage, id: string) =>
  shows(() => propertiesOf(stage, id), { enrichment_status: 'enriched' });

/** The first update strikes a fault; before it is repeated, a person is at the record. */
async function between(
  stage: Stage,
  fault: Readonly<Record<string, unknown>>,
  act: (id: string) => Promise<unknown>,
): Promise<string> {
  await stage.atHubSpot('PUT', 'settings', {
    faults: [{ path: 'contacts/batch/update', rate: 1, times: 1, ...fault }],
  });
  await stage.start().line(/^Serving until/);
  const id = await newContact(stage);
  await vi.waitFor(async () => expect(await attempts(stage)).toBe(1), PATIENCE);
  await act(id);
  return id;
}

describe.concurrent('a person is at the record while our write is repeated', () => {
  it('and types after a 503: what was typed stays', () =>
    onStage(async (stage) => {
      const id = await between(stage, { kind: 'status', status: 503 }, (id) =>
        types(stage, id, { jobtitle: 'Master Potter' }),
      );
      await enrichedIn(stage, id);
      expect(await propertiesOf(stage, id)).toMatchObject({ jobtitle: 'Master Potter' });
      expect((await stage.explain(id))['now']).toMatchObject({
        jobtitle: 'changed',
        lastname: 'ours',
      });
    }));

  it('and types in the ten seconds of a rate limit: what was typed stays', () =>
    onStage(async (stage) => {
      const fault = { kind: 'status', status: 429, policyName: 'TEN_SECONDLY_ROLLING' };
      const id = await between(stage, fault, (id) => types(stage, id, { jobtitle: 'Master Potter' }));
      await enrichedIn(stage, id);
      expect(await propertiesOf(stage, id)).toMatchObject({ jobtitle: 'Master Potter' });
    }));

  it('and clears or corrects what had arrived although its answer was lost: both stay', () =>
    onStage(async (stage) => {
      let corrected = '';
      const id = await between(stage, { kind: 'reset-after' }, async (id) => {
        const { jobtitle = '', lastname = '' } = await propertiesOf(stage, id);
        expect(jobtitle).not.toBe('');
        corrected = `${lastname.slice(0, -1)}é`;
        await types(stage, id, { jobtitle: '', lastname: corrected });
      });
      await sleep(6_000);
      const after = await propertiesOf(stage, id);
      expect(after).not.toHaveProperty('jobtitle');
      expect(after).toMatchObject({ lastname: corrected, enrichment_status: 'enriched' });
      await shows(() => stage.explain(id), { outcome: { kind: 'enriched' } });
      expect(await propertiesOf(stage, id)).toEqual(after);
    }));

  it('and our first attempt arrives late, over what was typed: it is brought back', () =>
    onStage(async (stage) => {
      const post = await openSlowPost(stage.hubSpotUrl);
      try {
        await stage.start({ HUBSPOT_BASE_URL: post.url }).line(/^Serving until/);
        const id = await newContact(stage);
        await post.holds();
        await types(stage, id, { jobtitle: 'Master Potter' });
        await enrichedIn(stage, id);
        await post.release();
        expect((await propertiesOf(stage, id))['jobtitle']).not.toBe('Master Potter');
        await shows(() => propertiesOf(stage, id), {
          jobtitle: 'Master Potter',
          enrichment_status: 'enriched',
        });
        await shows(() => stage.explain(id), { outcome: { kind: 'enriched' } });
      } finally {
        await post.close();
      }
    }));

  it('and an undo takes back nothing that a person typed back or corrected by an accent', () =>
    onStage(async (stage) => {
      await stage.start().line(/^Serving until/);
      const id = await newContact(stage);
      await enrichedIn(stage, id);
      await stage.workedOff();
      const { jobtitle = '', lastname = '', city = '' } = await propertiesOf(stage, id);
      const corrected = `${lastname.slice(0, -1)}é`;
      await types(stage, id, { jobtitle: 'Another', lastname: corrected });
      await types(stage, id, { jobtitle });
      const undone = await stage.run('undo', `contacts/${id}`, '--yes', '--json');
      expect(undone.code).toBe(0);
      const after = await propertiesOf(stage, id);
      expect(after).toMatchObject({ jobtitle, lastname: corrected });
      expect(city).not.toBe('');
      expect(after).not.toHaveProperty('city');
    }));
});
