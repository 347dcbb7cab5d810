import { describe, expect, it } from 'vitest';
import { contact, createFakeHubSpot, lost, type RefusalStyle, rateLimited } from './fake-hubspot.ts';

const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));
const write = (id: string | number, jobtitle = 'Glazier') => ({ id: String(id), properties: { jobtitle } });
const updatesOf = (count: number) => contacts(count).map(({ id }) => write(id));

describe('writing records in batches', () => {
  it('sends a trace id of its own with every input, a hundred inputs at a time', async () => {
    const hubspot = createFakeHubSpot(contacts(120));
    const { updated, failed } = await hubspot
      .client()
      .updateBatch({ objectType: 'contacts', updates: updatesOf(120) });
    expect(updated.length).toBe(120);
    expect(failed).toEqual([]);
    const inputs = hubspot.bodies().map((body) => body.inputs);
    expect(inputs.map((list) => list.length)).toEqual([100, 20]);
    for (const list of inputs) {
      expect(
        new Set(list.map((input: { objectWriteTraceId: string }) => input.objectWriteTraceId)).size,
      ).toBe(list.length);
    }
  });

  it('clears a property with an empty string', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const updates = [{ id: '1', properties: { jobtitle: '' } }];
    await hubspot.client().updateBatch({ objectType: 'contacts', updates });
    expect(hubspot.store.get('1')?.properties['jobtitle']).toBe('');
  });

  it('takes a repeated id for a bug', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const writing = hubspot.client().updateBatch({ objectType: 'contacts', updates: [write(1), write(1)] });
    await expect(writing).rejects.toThrow('names each record once');
    expect(hubspot.requests).toEqual([]);
  });
});

describe('refused inputs', () => {
  const styles: readonly RefusalStyle[] = ['named', 'named-by-id', 'whole', 'whole-with-properties'];

  it.each(styles)('fail alone when the refusal is "%s"', async (style) => {
    const hubspot = createFakeHubSpot(contacts(40), style);
    const updates = updatesOf(40).map((update) =>
      update.id === '7' || update.id === '30' ? write(update.id, 'bad') : update,
    );
    const { updated, failed } = await hubspot.client().updateBatch({ objectType: 'contacts', updates });
    expect(updated.length).toBe(38);
    expect(failed.map(({ id }) => id).sort()).toEqual(['30', '7']);
    expect(
      [...hubspot.store.values()].filter(({ properties }) => properties['jobtitle'] === 'Glazier').length,
    ).toBe(38);
    for (const { category, retryable, correlationId } of failed) {
      expect({ category, retryable }).toEqual({ category: 'VALIDATION_ERROR', retryable: false });
      expect(correlationId).toMatch(/^c-/);
    }
  });

  it('have codes and property names as their reason, no values', async () => {
    const hubspot = createFakeHubSpot(contacts(2));
    const { failed } = await hubspot
      .client()
      .updateBatch({ objectType: 'contacts', updates: [write(1, 'bad'), write(2)] });
    expect(failed).toEqual([
      {
        id: '1',
        reason: 'INVALID_OPTION (jobtitle)',
        category: 'VALIDATION_ERROR',
        retryable: false,
        correlationId: 'c-1',
      },
    ]);
  });

  it('are found in a hundred by halving: at most 15 requests for one', async () => {
    const hubspot = createFakeHubSpot(contacts(100), 'whole');
    const updates = updatesOf(100).map((update) => (update.id === '64' ? write(64, 'bad') : update));
    const { updated, failed } = await hubspot.client().updateBatch({ objectType: 'contacts', updates });
    expect([updated.length, failed.length]).toEqual([99, 1]);
    expect(hubspot.requests.length).toBeLessThanOrEqual(15);
  });

  it('that are named cost no further request', async () => {
    for (const style of ['named', 'named-by-id'] as const) {
      const hubspot = createFakeHubSpot(contacts(40), style);
      const updates = updatesOf(40).map((update) => (update.id === '7' ? write(7, 'bad') : update));
      await hubspot.client().updateBatch({ objectType: 'contacts', updates });
      expect(hubspot.requests.length).toBe(1);
    }
  });

  it('that write an unknown property all fail at once, and the others are written', async () => {
    const hubspot = createFakeHubSpot(contacts(100), 'whole-with-properties');
    const updates = updatesOf(100).map((update) =>
      Number(update.id) > 60 ? { id: update.id, properties: { ghost: 'x' } } : update,
    );
    const { updated, failed } = await hubspot.client().updateBatch({ objectType: 'contacts', updates });
    expect([updated.length, failed.length]).toEqual([60, 40]);
    expect(failed[0]?.reason).toBe('PROPERTY_DOESNT_EXIST (ghost)');
    expect(hubspot.requests.length).toBe(2);
  });

  it('name the record that is gone', async () => {
    const hubspot = createFakeHubSpot(contacts(2), 'named-by-id');
    const updates = [write(1), write(404)];
    const { failed } = await hubspot.client().updateBatch({ objectType: 'contacts', updates });
    expect(failed).toMatchObject([{ id: '404', category: 'OBJECT_NOT_FOUND', retryable: false }]);
  });
});

describe('HubSpot failing as a whole', () => {
  it('is thrown when nothing was written', async () => {
    const hubspot = createFakeHubSpot(contacts(1));
    hubspot.interruptions.push(rateLimited('DAILY'));
    const writing = hubspot.client().updateBatch({ objectType: 'contacts', updates: [write(1)] });
    await expect(writing).rejects.toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT', requestId: 'c-429' });
  });

  it('leaves what was written standing, and sends nothing more', async () => {
    const hubspot = createFakeHubSpot(contacts(250));
    hubspot.interruptions.push(undefined, rateLimited('DAILY'));
    const { updated, failed } = await hubspot
      .client()
      .updateBatch({ objectType: 'contacts', updates: updatesOf(250) });
    expect([updated.length, failed.length]).toEqual([100, 150]);
    expect(failed[0]).toMatchObject({ category: 'HUBSPOT_DAILY_LIMIT', correlationId: 'c-429' });
    const writes = hubspot.requests.filter(({ url }) => url.endsWith('/batch/update'));
    expect(writes.length).toBe(2);
  });

  it('says nothing against the records that it kept from being written', async () => {
    for (const failure of [rateLimited('DAILY'), { status: 401, body: {} }]) {
      const hubspot = createFakeHubSpot(contacts(150));
      hubspot.interruptions.push(undefined, failure);
      const { failed } = await hubspot
        .client()
        .updateBatch({ objectType: 'contacts', updates: updatesOf(150) });
      expect(failed.length).toBe(50);
      expect(failed.every(({ retryable }) => retryable)).toBe(true);
    }
  });

  it('with a lost answer is tried again: absolute values do no second harm', async () => {
    const hubspot = createFakeHubSpot(contacts(1));
    hubspot.interruptions.push(lost());
    const { updated } = await hubspot.client().updateBatch({ objectType: 'contacts', updates: [write(1)] });
    expect(updated.length).toBe(1);
  });

  it('to confirm an input ends as unconfirmed, not as written', async () => {
    const hubspot = createFakeHubSpot(contacts(1));
    hubspot.interruptions.push({ status: 200, body: { results: [] } });
    const { updated, failed } = await hubspot
      .client()
      .updateBatch({ objectType: 'contacts', updates: [write(1)] });
    expect(updated).toEqual([]);
    expect(failed).toMatchObject([{ id: '1', category: 'UNCONFIRMED', retryable: true }]);
  });
});
