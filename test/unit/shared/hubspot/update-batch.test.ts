import { describe, expect, it } from 'vitest';
import type { UpdateAttempt } from '#inside/hubspot/types.ts';
import { contact, createFakeHubSpot, lost, rateLimited } from './fake-hubspot.ts';

const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));
const write = (id: string | number, jobtitle = 'Glazier') => ({ id: String(id), properties: { jobtitle } });
const updatesOf = (count: number) => contacts(count).map(({ id }) => write(id));

const updating = { objectType: 'contacts' } as const;

describe('one attempt to write', () => {
  it('sends a trace id of its own with every input', async () => {
    const hubspot = createFakeHubSpot(contacts(100));
    const attempt = await hubspot.client().updateBatch({ ...updating, updates: updatesOf(100) });
    expect(answered(attempt)).toMatchObject({ failed: [], untouched: [], unconfirmed: [] });
    expect(answered(attempt).updated.length).toBe(100);
    const [{ inputs }] = hubspot.bodies();
    const traces = inputs.map((input: { objectWriteTraceId: string }) => input.objectWriteTraceId);
    expect(new Set(traces).size).toBe(100);
  });

  it('clears a property with an empty string', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    await hubspot.client().updateBatch({ ...updating, updates: [{ id: '1', properties: { jobtitle: '' } }] });
    expect(hubspot.store.get('1')?.properties['jobtitle']).toBe('');
  });

  it('takes a repeated id, or more than HubSpot takes, for a bug', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const client = hubspot.client();
    const twice = client.updateBatch({ ...updating, updates: [write(1), write(1)] });
    await expect(twice).rejects.toThrow();
    await expect(client.updateBatch({ ...updating, updates: updatesOf(101) })).rejects.toThrow();
    expect(hubspot.requests).toEqual([]);
  });
});

describe('refused inputs', () => {
  it.each(['named', 'named-by-id'] as const)('fail alone when the refusal is "%s"', async (style) => {
    const hubspot = createFakeHubSpot(contacts(40), style);
    const updates = updatesOf(40).map((update) =>
      update.id === '7' || update.id === '30' ? write(update.id, 'bad') : update,
    );
    const { updated, failed } = answered(await hubspot.client().updateBatch({ ...updating, updates }));
    expect(updated.length).toBe(38);
    expect(failed.map(({ id }) => id).sort()).toEqual(['30', '7']);
    for (const { category, retryable, correlationId } of failed) {
      expect({ category, retryable }).toEqual({ category: 'VALIDATION_ERROR', retryable: false });
      expect(correlationId).toMatch(/^c-/);
    }
  });

  it('leave the others untouched where the batch is refused whole, and are not tried again here', async () => {
    const hubspot = createFakeHubSpot(contacts(40), 'whole');
    const updates = updatesOf(40).map((update) => (update.id === '7' ? write(7, 'bad') : update));
    const attempt = answered(await hubspot.client().updateBatch({ ...updating, updates }));
    expect(attempt).toMatchObject({ updated: [], failed: [], unconfirmed: [] });
    expect(attempt.untouched.length).toBe(40);
    expect(hubspot.requests.length).toBe(1);
  });

  it('have codes and property names as their reason, no values', async () => {
    const hubspot = createFakeHubSpot(contacts(2));
    const updates = [write(1, 'bad'), write(2)];
    const { failed } = answered(await hubspot.client().updateBatch({ ...updating, updates }));
    expect(failed).toEqual([
      {
        id: '1',
        reason: 'INVALID_OPTION (jobtitle)',
        properties: ['jobtitle'],
        category: 'VALIDATION_ERROR',
        retryable: false,
        isLiftable: true,
        correlationId: 'c-1',
      },
    ]);
  });

  it('that write an unknown property all fail at once, and the others are untouched', async () => {
    const hubspot = createFakeHubSpot(contacts(100), 'whole-with-properties');
    const updates = updatesOf(100).map((update) =>
      Number(update.id) > 60 ? { id: update.id, properties: { ghost: 'x' } } : update,
    );
    const attempt = answered(await hubspot.client().updateBatch({ ...updating, updates }));
    expect([attempt.untouched.length, attempt.failed.length]).toEqual([60, 40]);
    expect(attempt.failed[0]?.reason).toBe('PROPERTY_DOESNT_EXIST (ghost)');
  });

  it('name the record that is gone', async () => {
    const hubspot = createFakeHubSpot(contacts(2), 'named-by-id');
    const updates = [write(1), write(404)];
    const { failed } = answered(await hubspot.client().updateBatch({ ...updating, updates }));
    expect(failed).toMatchObject([{ id: '404', category: 'OBJECT_NOT_FOUND', retryable: false }]);
  });
});

describe('HubSpot failing as a whole', () => {
  it.each([
    ['a used up day', rateLimited('DAILY'), 'HUBSPOT_DAILY_LIMIT', false],
    ['a window of seconds', rateLimited('TEN_SECONDLY_ROLLING'), 'HUBSPOT_RATE_LIMIT', false],
    ['a refused token', { status: 401, body: {} }, 'HUBSPOT_UNAUTHORIZED', false],
    ['a failing server', { status: 503, body: {} }, 'HUBSPOT_UNAVAILABLE', true],
    ['a lost answer', lost(), 'HTTP_CONNECTION_LOST', true],
    ['an unreadable answer', { status: 200, body: 'no JSON' }, 'HUBSPOT_UNREADABLE_ANSWER', true],
  ])('by %s is told with whether it may have arrived, after one attempt', async (_, failure, code, may) => {
    const hubspot = createFakeHubSpot(contacts(1));
    hubspot.interruptions.push(failure);
    const attempt = await hubspot.client().updateBatch({ ...updating, updates: [write(1)] });
    expect(attempt).toMatchObject({ kind: 'failed', error: { code }, mayHaveArrived: may });
    expect(hubspot.requests.filter(({ url }) => url.endsWith('/batch/update')).length).toBe(1);
  });

  it('to confirm one of two inputs leaves that one unconfirmed', async () => {
    const hubspot = createFakeHubSpot(contacts(2));
    const [{ id, properties }] = [contact(1)];
    hubspot.interruptions.push({ status: 200, body: { results: [{ id, properties }] } });
    const attempt = await hubspot.client().updateBatch({ ...updating, updates: [write(1), write(2)] });
    expect(answered(attempt)).toMatchObject({ failed: [], untouched: [], unconfirmed: ['2'] });
  });

  it('to confirm an input ends as unconfirmed, not as written', async () => {
    const hubspot = createFakeHubSpot(contacts(1));
    hubspot.interruptions.push({ status: 200, body: { results: [] } });
    const attempt = await hubspot.client().updateBatch({ ...updating, updates: [write(1)] });
    expect(answered(attempt).failed).toMatchObject([{ id: '1', category: 'UNCONFIRMED', retryable: true }]);
  });
});

function answered(attempt: UpdateAttempt) {
  if (attempt.kind === 'failed') throw attempt.error;
  return attempt;
}
