import { describe, expect, it } from 'vitest';
import type { UpdateAttempt } from '#inside/hubspot/types.ts';
import { HOUR_MS, type UpstreamError } from '#shared/kernel';
import { contact, createFakeHubSpot, type FakeAnswer, lost, rateLimited } from './fake-hubspot.ts';

const ask = { objectType: 'contacts', ids: ['1'], properties: ['jobtitle'] } as const;

async function meeting(...answers: (FakeAnswer | UpstreamError)[]) {
  const hubspot = createFakeHubSpot([contact(1)]);
  hubspot.interruptions.push(...answers);
  const outcome = await hubspot
    .client()
    .readBatch(ask)
    .then(
      ({ byAskedId }) => byAskedId.size,
      (error: unknown) => error,
    );
  return { outcome, waits: hubspot.waits, attempts: hubspot.requests.length };
}

describe('a request that has a deadline', () => {
  it('makes no attempt and no wait beyond it', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    hubspot.interruptions.push(rateLimited('TEN_SECONDLY_ROLLING'), rateLimited('TEN_SECONDLY_ROLLING'));
    const untilMs = hubspot.clock.now() + 5_000;
    await expect(hubspot.client().readBatch({ ...ask, untilMs })).rejects.toMatchObject({ retryable: true });
    expect(hubspot.clock.now()).toBeLessThanOrEqual(untilMs);
    expect(hubspot.requests[0]?.timeoutMs).toBeLessThanOrEqual(5_000);
  });

  it('is not sent when it is past', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const untilMs = hubspot.clock.now();
    await expect(hubspot.client().readBatch({ ...ask, untilMs })).rejects.toMatchObject({
      code: 'HUBSPOT_TIME_SHORT',
      retryable: true,
    });
    expect(hubspot.requests).toEqual([]);
  });
});

describe('retried', () => {
  it('is a secondly limit after about a second, with jitter', async () => {
    const { outcome, waits } = await meeting(rateLimited('SECONDLY'), rateLimited('SECONDLY'));
    expect(outcome).toBe(1);
    expect(waits.length).toBe(2);
    expect(waits.every((ms) => ms >= 1_000 && ms <= 1_500)).toBe(true);
    expect(waits[0]).not.toBe(waits[1]);
  });

  it('is a 429 without policy name by its message', async () => {
    const message = 'You have reached your secondly limit.';
    const { waits } = await meeting({ status: 429, body: { message } });
    expect(waits[0]).toBeLessThanOrEqual(1_500);
    const daily = await meeting({ status: 429, body: { message: 'You have reached your daily limit.' } });
    expect(daily.outcome).toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT' });
  });

  it.each([
    ['a lock, not before two seconds', { status: 423, body: {} }, 2_000],
    [
      'a migration after the wait that HubSpot names',
      { status: 477, headers: { 'retry-after': '3' } },
      3_000,
    ],
  ])('is %s', async (_, answer, leastMs) => {
    const { outcome, waits } = await meeting(answer);
    expect(outcome).toBe(1);
    expect(waits[0]).toBeGreaterThanOrEqual(leastMs);
  });

  it.each([500, 502, 503, 504, 521, 524])('is a %i, also without a body', async (status) => {
    expect((await meeting({ status })).outcome).toBe(1);
  });

  it('is a lost connection', async () => {
    expect((await meeting(lost())).outcome).toBe(1);
  });
});

describe('not retried', () => {
  it('is a wait that does not fit the deadline; the caller learns how long it is', async () => {
    const { outcome, attempts } = await meeting({ status: 477, headers: { 'retry-after': '3600' } });
    expect(attempts).toBe(1);
    expect(outcome).toMatchObject({ code: 'HUBSPOT_MIGRATING', retryAfterMs: 3_600_000 });
  });

  it.each([
    [400, 'HUBSPOT_INVALID_REQUEST'],
    [401, 'HUBSPOT_UNAUTHORIZED'],
    [403, 'HUBSPOT_FORBIDDEN'],
    [404, 'HUBSPOT_NOT_FOUND'],
    [414, 'HUBSPOT_INVALID_REQUEST'],
    [488, 'HUBSPOT_WRONG_DATA_CENTRE'],
  ])('is a %i: %s', async (status, code) => {
    const { outcome, attempts } = await meeting({ status, body: {} });
    expect(attempts).toBe(1);
    expect(outcome).toMatchObject({ code, status, retryable: false });
  });
});

it('errors do not take a sentence for a category', async () => {
  const { outcome } = await meeting({ status: 400, body: { category: 'ines.weaver@mail.example wrote' } });
  expect(outcome).toMatchObject({ status: 400, message: expect.not.stringContaining('weaver') });
});

function left(remaining: number, limit = 1_000) {
  const headers = {
    'x-hubspot-ratelimit-daily': String(limit),
    'x-hubspot-ratelimit-daily-remaining': String(remaining),
  };
  return { status: 200, body: { results: [] }, headers };
}

/** A client that has heard so much of the daily limit. */
async function heard(remaining: number, options = {}) {
  const hubspot = createFakeHubSpot([contact(1)]);
  const client = hubspot.client(options);
  hubspot.interruptions.push(left(remaining));
  await client.readBatch(ask);
  return { hubspot, client };
}

describe('the reserve for the customer’s other apps', () => {
  it('is nothing to go by before any answer told, and asks HubSpot nothing', async () => {
    const hubspot = createFakeHubSpot();
    expect(await hubspot.client().pausedUntil('bulk')).toBeUndefined();
    expect(hubspot.requests).toEqual([]);
  });

  it('is looked at again in an hour where the time zone cannot be had', async () => {
    const { client, hubspot } = await heard(5);
    hubspot.interruptions.push({ status: 403, body: {} });
    expect(await client.pausedUntil('bulk')).toBe(Date.UTC(2030, 0, 1, 13));
  });
});

describe('a daily limit that is used up', () => {
  it('is tried again after an hour where HubSpot refuses to tell the time zone too', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const client = hubspot.client();
    hubspot.interruptions.push(rateLimited('DAILY'), rateLimited('DAILY'));
    await expect(client.readBatch(ask)).rejects.toMatchObject({ retryAfterMs: HOUR_MS });
    await hubspot.clock.sleep(HOUR_MS);
    expect((await client.readBatch(ask)).byAskedId.size).toBe(1);
  });

  it('leaves the reset to HubSpot where it names one', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    hubspot.interruptions.push({ ...rateLimited('DAILY'), headers: { 'retry-after': '90' } });
    await expect(hubspot.client().readBatch(ask)).rejects.toMatchObject({ retryAfterMs: 90_000 });
  });
});

const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));

const read = { objectType: 'contacts', properties: ['jobtitle', 'city'] } as const;

describe('reading records in batches', () => {
  it('gives values, times and ids as HubSpot has them', async () => {
    const hubspot = createFakeHubSpot([contact(7, { properties: { jobtitle: 'Potter', city: null } })]);
    const { byAskedId, missing, failed } = await hubspot.client().readBatch({ ...read, ids: ['7'] });
    expect([...byAskedId.values()]).toEqual([
      {
        id: '7',
        properties: { jobtitle: 'Potter', city: null, hs_merged_object_ids: null },
        createdAtMs: Date.UTC(2029, 11, 31, 10),
        updatedAtMs: Date.UTC(2029, 11, 31, 11),
        mergedIds: [],
      },
    ]);
    expect({ missing, failed }).toEqual({ missing: [], failed: [] });
  });

  it('asks for each id once, a hundred at a time', async () => {
    const hubspot = createFakeHubSpot(contacts(250));
    const ids = contacts(250).flatMap(({ id }) => [id, id]);
    const { byAskedId } = await hubspot.client().readBatch({ ...read, ids });
    expect(byAskedId.size).toBe(250);
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

it('merged records are found by asking alone where the answer does not list the old id', async () => {
  const hubspot = createFakeHubSpot([contact(90, { mergedIds: ['10'] }), contact(2)]);
  const stranger = { id: '90', properties: { jobtitle: 'Potter' }, createdAt: '2029-12-31T10:00:00Z' };
  hubspot.interruptions.push({ status: 200, body: { results: [stranger] } });
  hubspot.interruptions.push({ status: 200, body: { results: [stranger] } });
  const { byAskedId, missing } = await hubspot.client().readBatch({ ...read, ids: ['10', '404'] });
  expect(byAskedId.get('10')?.id).toBe('90');
  expect(missing).toEqual(['404']);
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
    for (const { category, retryable } of failed)
      expect({ category, retryable }).toEqual({ category: 'VALIDATION_ERROR', retryable: false });
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

const potters = [{ propertyName: 'jobtitle', operator: 'EQ', value: 'Potter' }] as const;

const everything = { objectType: 'contacts', properties: ['jobtitle'], filters: [] } as const;

describe('a search page', () => {
  it('is asked for with filters and sort in the documented form', async () => {
    const hubspot = createFakeHubSpot();
    const filters = [
      { propertyName: 'email', operator: 'IN', values: ['a', 'b'] },
      { propertyName: 'createdate', operator: 'BETWEEN', value: '1', highValue: '2' },
    ] as const;
    await hubspot.client().search({ ...everything, filters, limit: 5 });
    const sorts = [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }];
    expect(hubspot.bodies()[0]).toMatchObject({ filterGroups: [{ filters }], sorts, limit: 5 });
  });

  it.each([
    { limit: 0 },
    { limit: 201 },
    { limit: 10, filters: Array.from({ length: 7 }, () => potters[0]) },
  ])('beyond the limits is a bug: %j', async (excess) => {
    const searching = createFakeHubSpot()
      .client()
      .search({ ...everything, ...excess });
    await expect(searching).rejects.toThrow();
  });
});

it('a search of all ends instead of going round when the order is not kept', async () => {
  const hubspot = createFakeHubSpot();
  const body = { total: 9, results: [{ id: '5', properties: {} }], paging: { next: { after: '1' } } };
  hubspot.interruptions.push({ status: 200, body }, { status: 200, body });
  const all = Array.fromAsync(hubspot.client().searchAll(everything));
  await expect(all).rejects.toMatchObject({ code: 'HUBSPOT_UNREADABLE_ANSWER' });
});

it('a search of all keeps the filters on every page', async () => {
  const masons = Array.from({ length: 300 }, (_, at) =>
    contact(1_000 + at, { properties: { jobtitle: 'Mason' } }),
  );
  const hubspot = createFakeHubSpot([...contacts(250), ...masons]);
  const all = hubspot.client().searchAll({ ...everything, filters: potters });
  expect((await Array.fromAsync(all)).length).toBe(250);
});

const NOT_FOUND = 'OBJECT_NOT_FOUND';

const found = (...ids: string[]) => ids.map((id) => ({ id, properties: {} }));

async function lookUp(answer: FakeAnswer, ids: readonly string[] = ['1', '2', '3']) {
  const hubspot = createFakeHubSpot([contact(1)]);
  hubspot.interruptions.push(answer);
  const looked = await hubspot.client().lookUpIds({ objectType: 'contacts', ids, archived: false });
  expect(hubspot.requests).toHaveLength(1);
  return { found: [...looked.found], notFound: [...looked.notFound] };
}

const errors = (...all: { category: string; ids?: string[] }[]) =>
  all.map(({ category, ids }) => ({ category, message: 'text', ...(ids && { context: { ids } }) }));

describe('looking ids up, in one request', () => {
  it('counts only ids as missing that HubSpot names as not found', async () => {
    const body = { results: found('1'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) };
    expect(await lookUp({ status: 207, body })).toEqual({ found: ['1'], notFound: ['2'] });
  });

  it('follows merges', async () => {
    const winner = { id: '9', properties: { hs_merged_object_ids: '2;7' } };
    const body = { results: [winner, ...found('1')], errors: errors({ category: NOT_FOUND, ids: ['3'] }) };
    expect(await lookUp({ status: 207, body })).toEqual({ found: ['2', '1'], notFound: ['3'] });
  });

  it('asks for the archive by the query', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    await hubspot.client().lookUpIds({ objectType: 'contacts', ids: ['1'], archived: true });
    expect(new URL(hubspot.requests[0]?.url ?? '').searchParams.get('archived')).toBe('true');
  });

  it.each([
    ['nothing is said of it', { results: found('1', '3') }],
    [
      'another error names it too',
      {
        results: [],
        errors: errors({ category: NOT_FOUND, ids: ['2'] }, { category: 'INTERNAL_ERROR', ids: ['2'] }),
      },
    ],
    [
      'an error names no id',
      { results: [], errors: errors({ category: NOT_FOUND, ids: ['2'] }, { category: 'INTERNAL_ERROR' }) },
    ],
    [
      'a result is a record that was not asked for',
      { results: found('1', '9'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
    [
      'a result cannot be read',
      { results: [{ properties: {} }], errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
    [
      'it is among the results as well',
      { results: found('2'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
  ])('an id is not missing where %s', async (_, body) => {
    expect((await lookUp({ status: 207, body })).notFound).toEqual([]);
  });
});
