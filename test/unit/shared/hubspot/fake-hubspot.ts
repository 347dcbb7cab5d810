import type { HubSpotClientOptions } from '#inside/hubspot/hubspot-client.ts';
import type { HttpRequest, HttpResponse, Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { seededRandom, UpstreamError } from '#shared/kernel';
import { jumpingClock, NOON_MS } from '../../../harness/jumping-clock.ts';

interface FakeRecord {
  readonly id: string;
  readonly properties: Record<string, string | null>;
  readonly mergedIds?: readonly string[];
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** How a refused input of a batch update shows: named in a 207, or as a 400 of the whole batch. */
export type RefusalStyle = 'named' | 'named-by-id' | 'whole' | 'whole-with-properties';

/** The contacts of a small HubSpot, its refusals included. Refuses the value `bad` and the property `ghost`. */
export function createFakeHubSpot(records: readonly FakeRecord[] = [], style: RefusalStyle = 'named') {
  const store = new Map(records.map((record) => [record.id, record]));
  const requests: HttpRequest[] = [];
  const interruptions: (FakeAnswer | UpstreamError | undefined)[] = [];
  const { clock, waits } = jumpingClock();
  const send: Send = async (request) => {
    requests.push(request);
    const interruption = interruptions.shift();
    if (interruption instanceof UpstreamError) throw interruption;
    return toResponse(interruption ?? answer({ request, store, style }));
  };
  const client = (options: Partial<HubSpotClientOptions> = {}) =>
    createHubSpotClient({ accessToken: 'token', send, clock, random: seededRandom(1), ...options });
  const bodies = () => requests.map(({ body }) => JSON.parse(body ?? 'null'));
  return { store, requests, bodies, interruptions, waits, clock, client };
}

export function contact(id: string | number, more: Partial<FakeRecord> = {}): FakeRecord {
  return { id: String(id), properties: { jobtitle: 'Potter' }, ...more };
}

export function lost(): UpstreamError {
  return new UpstreamError({ code: 'HTTP_CONNECTION_LOST', message: 'lost', retryable: true });
}

export function rateLimited(policyName: string): FakeAnswer {
  const message = `You have reached your ${policyName.toLowerCase()} limit.`;
  const body = { status: 'error', message, errorType: 'RATE_LIMIT', correlationId: 'c-429', policyName };
  return { status: 429, body };
}

function toResponse({ status, body, headers = {} }: FakeAnswer): HttpResponse {
  return { status, headers, body: body === undefined ? '' : JSON.stringify(body), receivedAtMs: NOON_MS };
}

interface Asked {
  readonly request: HttpRequest;
  readonly store: Map<string, FakeRecord>;
  readonly style: RefusalStyle;
}

function answer(asked: Asked): FakeAnswer {
  const { pathname } = new URL(asked.request.url);
  if (asked.request.headers['Authorization'] !== 'Bearer token') return { status: 401, body: {} };
  if (pathname === '/crm/objects/2026-09/contacts/batch/read') return batchRead(asked);
  if (pathname === '/crm/objects/2026-09/contacts/batch/update') return batchUpdate(asked);
  if (pathname === '/crm/objects/2026-09/contacts/search') return search(asked);
  if (pathname === '/account-info/2026-09/details') {
    return { status: 200, body: { portalId: 24_170, timeZone: 'Europe/Dublin', currency: 'EUR' } };
  }
  return { status: 404, body: { category: 'OBJECT_NOT_FOUND', message: 'no such path' } };
}

function batchRead({ request, store }: Asked): FakeAnswer {
  const { inputs, properties } = JSON.parse(request.body ?? '') as {
    inputs: { id: string }[];
    properties: string[];
  };
  if (inputs.length > 100) return { status: 400, body: { category: 'VALIDATION_ERROR' } };
  const winners = inputs.map(({ id }) => winnerOf(store, id));
  const missing = inputs.filter((_, index) => winners[index] === undefined).map(({ id }) => id);
  const found = new Set(winners.filter((winner) => winner !== undefined));
  // Backwards, because HubSpot promises no order.
  const results = [...found].reverse().map((record) => toJson(record, properties));
  if (missing.length === 0) return { status: 200, body: { status: 'COMPLETE', results } };
  const error = { status: 'error', category: 'OBJECT_NOT_FOUND', context: { ids: missing } };
  return { status: 207, body: { status: 'COMPLETE', results, numErrors: 1, errors: [error] } };
}

function batchUpdate({ request, store, style }: Asked): FakeAnswer {
  const { inputs } = JSON.parse(request.body ?? '') as {
    inputs: { id: string; objectWriteTraceId: string; properties: Record<string, string> }[];
  };
  const refused = inputs.flatMap((input) => {
    const error = refusalOf(store, input);
    return error === undefined ? [] : [{ input, error }];
  });
  if (refused.length > 0 && style.startsWith('whole')) return whole(refused, style);
  const guilty = new Set(refused.map(({ input }) => input.id));
  const results = inputs
    .filter(({ id }) => !guilty.has(id))
    .map(({ id, properties }) => {
      const record = { ...contact(id), properties: { ...store.get(id)?.properties, ...properties } };
      store.set(id, record);
      return toJson(record, Object.keys(properties));
    });
  const errors = refused.map(({ input, error }) => ({
    ...error,
    context: style === 'named' ? { objectWriteTraceId: [input.objectWriteTraceId] } : { ids: [input.id] },
  }));
  return { status: errors.length === 0 ? 200 : 207, body: { results, errors, numErrors: errors.length } };
}

function refusalOf(
  store: Asked['store'],
  { id, properties }: { id: string; properties: Record<string, string> },
) {
  const error = (code: string, name: string) => ({
    category: 'VALIDATION_ERROR',
    correlationId: `c-${id}`,
    message: `jane.example@mail.example is not valid: [{"name":"${name}","error":"${code}"}]`,
    errors: [{ message: 'jane.example@mail.example', code, context: { propertyName: [name] } }],
  });
  if (!store.has(id)) return { category: 'OBJECT_NOT_FOUND', correlationId: `c-${id}`, errors: [] };
  if ('ghost' in properties) return error('PROPERTY_DOESNT_EXIST', 'ghost');
  const bad = Object.keys(properties).find((name) => properties[name] === 'bad');
  return bad === undefined ? undefined : error('INVALID_OPTION', bad);
}

function whole(
  refused: readonly { error: NonNullable<ReturnType<typeof refusalOf>> }[],
  style: RefusalStyle,
) {
  const { category, errors } = refused[0]?.error ?? { category: '', errors: [] };
  const named =
    style === 'whole-with-properties' ? { errors } : { message: 'one of the inputs is not valid' };
  return { status: 400, body: { status: 'error', category, correlationId: 'c-whole', ...named } };
}

function search({ request, store }: Asked): FakeAnswer {
  const { filterGroups, limit, after, sorts } = JSON.parse(request.body ?? '');
  const filters: { propertyName: string; operator: string; value: string }[] = filterGroups[0]?.filters ?? [];
  const above = Number(filters.find(({ propertyName }) => propertyName === 'hs_object_id')?.value ?? 0);
  const title = filters.find(({ propertyName }) => propertyName === 'jobtitle')?.value;
  const start = Number(after ?? 0);
  if (start + limit > 10_000) return { status: 400, body: { category: 'VALIDATION_ERROR' } };
  const matches = [...store.values()]
    .filter(({ id, properties }) => Number(id) > above && (!title || properties['jobtitle'] === title))
    .sort((a, b) => (sorts?.[0]?.direction === 'DESCENDING' ? -1 : 1) * (Number(a.id) - Number(b.id)));
  const results = matches.slice(start, start + limit).map((record) => toJson(record, ['jobtitle']));
  const paging = start + limit < matches.length ? { paging: { next: { after: String(start + limit) } } } : {};
  return { status: 200, body: { total: matches.length, results, ...paging } };
}

function winnerOf(store: Asked['store'], id: string): FakeRecord | undefined {
  return store.get(id) ?? [...store.values()].find(({ mergedIds }) => mergedIds?.includes(id));
}

function toJson({ id, properties, mergedIds }: FakeRecord, names: readonly string[]) {
  const all: Record<string, string | null> = {
    ...properties,
    hs_merged_object_ids: mergedIds?.join(';') ?? null,
  };
  return {
    id,
    properties: Object.fromEntries(
      names.filter((name) => name in all).map((name) => [name, all[name] ?? null]),
    ),
    createdAt: '2029-12-31T10:00:00.000Z',
    updatedAt: '2029-12-31T11:00:00.000Z',
    archived: false,
  };
}
