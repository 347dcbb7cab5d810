import { describe, expect, it } from 'vitest';
import { contact, createFakeHubSpot } from './fake-hubspot.ts';

const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));
const read = { objectType: 'contacts', properties: ['jobtitle', 'city'] } as const;

describe('reading records in batches', () => {
  it('gives values, times and ids as HubSpot has them', async () => {
    const hubspot = createFakeHubSpot([contact(7, { properties: { jobtitle: 'Potter', city: null } })]);
    const { found, missing, failed } = await hubspot.client().readBatch({ ...read, ids: ['7'] });
    expect(found).toEqual([
      {
        id: '7',
        properties: { jobtitle: 'Potter', city: null, hs_merged_object_ids: null },
        createdAtMs: Date.UTC(2029, 11, 31, 10),
        updatedAtMs: Date.UTC(2029, 11, 31, 11),
        archived: false,
        mergedIds: [],
      },
    ]);
    expect({ missing, failed }).toEqual({ missing: [], failed: [] });
  });

  it('asks for each id once, a hundred at a time', async () => {
    const hubspot = createFakeHubSpot(contacts(250));
    const ids = contacts(250).flatMap(({ id }) => [id, id]);
    const { found } = await hubspot.client().readBatch({ ...read, ids });
    expect(found.length).toBe(250);
    expect(hubspot.bodies().map(({ inputs }) => inputs.length)).toEqual([100, 100, 50]);
  });

  it('asks fifty at a time with history, and gives it newest first', async () => {
    const hubspot = createFakeHubSpot(contacts(60));
    const version = (value: string, timestamp: string) => ({ value, timestamp, sourceType: 'CRM_UI' });
    const results = [
      {
        id: '1',
        properties: {},
        propertiesWithHistory: {
          jobtitle: [version('old', '2029-01-01T00:00:00Z'), version('new', '2029-02-01T00:00:00Z')],
        },
      },
    ];
    hubspot.interruptions.push({ status: 200, body: { results } });
    const ids = contacts(60).map(({ id }) => id);
    const answer = await hubspot.client().readBatch({ ...read, ids, propertiesWithHistory: ['jobtitle'] });
    expect(hubspot.bodies().map(({ inputs }) => inputs.length)).toEqual([50, 10]);
    const versions = answer.byAskedId.get('1')?.history?.['jobtitle'] ?? [];
    expect(versions.map(({ value }) => value)).toEqual(['new', 'old']);
  });

  it('reads a 207: the found are found, the missing named', async () => {
    const hubspot = createFakeHubSpot(contacts(3));
    const { byAskedId, missing } = await hubspot.client().readBatch({ ...read, ids: ['2', '404', '3'] });
    expect([...byAskedId.keys()].sort()).toEqual(['2', '3']);
    expect(missing).toEqual(['404']);
  });
});

describe('merged records', () => {
  it('are found by asking alone where the answer does not list the old id', async () => {
    const hubspot = createFakeHubSpot([contact(90, { mergedIds: ['10'] }), contact(2)]);
    const stranger = { id: '90', properties: { jobtitle: 'Potter' }, createdAt: '2029-12-31T10:00:00Z' };
    hubspot.interruptions.push({ status: 200, body: { results: [stranger] } });
    hubspot.interruptions.push({ status: 200, body: { results: [stranger] } });
    const { byAskedId, missing } = await hubspot.client().readBatch({ ...read, ids: ['10', '404'] });
    expect(byAskedId.get('10')?.id).toBe('90');
    expect(missing).toEqual(['404']);
  });
});

describe('odd answers', () => {
  it('do not make a record missing that could not be read', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const odd = { status: 200, body: { results: [{ properties: {} }] } };
    hubspot.interruptions.push(odd, odd);
    const { missing, failed } = await hubspot.client().readBatch({ ...read, ids: ['1'] });
    expect(missing).toEqual([]);
    expect(failed).toMatchObject([{ id: '1', category: 'UNREADABLE', retryable: true }]);
  });

  it('that name no id have each unexplained record asked for alone', async () => {
    const hubspot = createFakeHubSpot([contact(1), contact(2)]);
    const errors = [{ category: 'OBJECT_NOT_FOUND', message: 'Could not get some objects' }];
    hubspot.interruptions.push({ status: 207, body: { results: [{ id: '1', properties: {} }], errors } });
    const { byAskedId, missing } = await hubspot.client().readBatch({ ...read, ids: ['1', '2', '404'] });
    expect([...byAskedId.keys()]).toEqual(['1', '2']);
    expect(missing).toEqual(['404']);
  });

  it('give another reason than "not found" as a failure of that record', async () => {
    const hubspot = createFakeHubSpot();
    const errors = [{ category: 'INTERNAL_ERROR', context: { ids: ['1'] } }];
    hubspot.interruptions.push({ status: 207, body: { results: [], errors } });
    const { missing, failed } = await hubspot.client().readBatch({ ...read, ids: ['1'] });
    expect(missing).toEqual([]);
    expect(failed).toEqual([
      { id: '1', category: 'INTERNAL_ERROR', reason: 'INTERNAL_ERROR', properties: [], retryable: true },
    ]);
  });

  it.each([{}, 'gateway', { results: 'none' }])('%j instead of results is unreadable', async (body) => {
    const hubspot = createFakeHubSpot([contact(1)]);
    hubspot.interruptions.push({ status: 200, body });
    const reading = hubspot.client().readBatch({ ...read, ids: ['1'] });
    await expect(reading).rejects.toMatchObject({ code: 'HUBSPOT_UNREADABLE_ANSWER', retryable: true });
  });

  it('lose a value of an unexpected shape, not the record', async () => {
    const hubspot = createFakeHubSpot();
    const result = { id: 1, properties: { jobtitle: { deep: true }, city: 'Cork', employees: 12 } };
    hubspot.interruptions.push({ status: 200, body: { results: [result] } });
    const { byAskedId } = await hubspot.client().readBatch({ ...read, ids: ['1'] });
    expect(byAskedId.get('1')?.properties).toEqual({ city: 'Cork', employees: '12' });
  });
});
