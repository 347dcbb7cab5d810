import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import { SearchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/SearchApi.js';
import { createConfiguration as objectsConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import type { Filter } from '@hubspot/api-client/lib/codegen/crm/objects/models/Filter.js';
import { CoreApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/CoreApi.js';
import { GroupsApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/GroupsApi.js';
import { createConfiguration as propertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import type { HttpErrorCode, HttpResponse } from '#shared/http';
import { assert, type Clock, inChunks, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { HUBSPOT_ERRORS, type HubSpotErrorCode } from './errors.ts';
import {
  type BatchError,
  errorIn,
  failureOfInput,
  ownError,
  readAnswer,
  requestIdOf,
  toBatchError,
} from './failures.ts';
import {
  AssociatedAnswerSchema,
  AssociationsAnswerSchema,
  BatchAnswerSchema,
  type HubSpotErrorBody,
  SearchAnswerSchema,
} from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  AssociatedRequest,
  AssociateRequest,
  Association,
  BatchFailure,
  HubSpotObject,
  IdLookup,
  Limits,
  LookUpIdsRequest,
  ReadBatchRequest,
  ReadBatchResult,
  RecordUpdate,
  SearchAllRequest,
  SearchPage,
  SearchRequest,
  UpdateAttempt,
  UpdateBatchRequest,
} from './types.ts';

/**
 * The official client only builds the requests. Its own sending has no timeout, no dated path and no jitter. Its
 * deserialiser drops unknown fields and splits the texts of error contexts into letters. So `transport.ts` sends and
 * retries the requests, and `schemas.ts` parses the answers.
 */
export const batchRequests = new BatchApiRequestFactory(objectsConfiguration());
const searchRequests = new SearchApiRequestFactory(objectsConfiguration());
export const propertyRequests = new CoreApiRequestFactory(propertiesConfiguration());
export const groupRequests = new GroupsApiRequestFactory(propertiesConfiguration());

/** The classes of generated requests differ by module. */
interface GeneratedRequest {
  getUrl(): string;
  getHttpMethod(): string;
  getBody(): unknown;
}

/**
 * Converts a generated request to one under the dated path: `/crm/v3/objects/...` to `/crm/objects/2026-09/...`.
 * Requests and answers have the same form under both paths.
 */
export async function dated(generated: Promise<GeneratedRequest>) {
  const request = await generated;
  const { pathname, search } = new URL(request.getUrl());
  const path = `${pathname.replace(/^\/crm\/v3\/(objects|properties)\//, `/crm/$1/${API_VERSION}/`)}${search}`;
  assert(path.includes(`/${API_VERSION}/`), 'every HubSpot path includes the version');
  const body = request.getBody();
  assert(body === undefined || typeof body === 'string', 'a HubSpot request has JSON text or no body');
  return { method: request.getHttpMethod(), path, body };
}

/** HubSpot's limits of inputs in a batch read, without and with history. */
const MAX_INPUTS = 100;

const MAX_INPUTS_WITH_HISTORY = 50;

/** This property is always read. It shows which requested ids were merged into a record. */
const MERGED_IDS = 'hs_merged_object_ids';

export async function readBatch(exchange: Exchange, request: ReadBatchRequest): Promise<ReadBatchResult> {
  const collected: Collected = { byAskedId: new Map(), missing: [], failed: [] };
  const size = request.propertiesWithHistory?.length ? MAX_INPUTS_WITH_HISTORY : MAX_INPUTS;
  for (const ids of inChunks([...new Set(request.ids)], size))
    await readChunk({ exchange, request, collected }, ids);
  return collected;
}

interface Collected {
  readonly byAskedId: Map<string, HubSpotObject>;
  readonly missing: string[];
  readonly failed: BatchFailure[];
}

interface Reading {
  readonly exchange: Exchange;
  readonly request: ReadBatchRequest;
  readonly collected: Collected;
}

async function readChunk(reading: Reading, ids: readonly string[]): Promise<void> {
  const { exchange, request, collected } = reading;
  const answer = await requestBatch(exchange, request, ids);
  const { results, errors } = answer;
  // If an id is the id of one record and also a merged id of another record, the first record is used.
  const byId = new Map([
    ...results.flatMap((object) => object.mergedIds.map((id) => [id, object] as const)),
    ...results.map((object) => [object.id, object] as const),
  ]);
  const unanswered: string[] = [];
  for (const id of ids) {
    const object = byId.get(id);
    const error = errors.find((batchError) => batchError.ids.has(id));
    if (object) collected.byAskedId.set(id, object);
    else if (error) addError(collected, id, error);
    else unanswered.push(id);
  }
  if (!isUnclear(answer, ids)) collected.missing.push(...unanswered);
  else if (ids.length > 1) for (const id of unanswered) await readChunk(reading, [id]);
  else
    for (const id of unanswered) {
      // The answer is about this id, even if the record does not list the id as merged.
      if (results[0]) collected.byAskedId.set(id, results[0]);
      else addError(collected, id, errors[0] ?? ownError('UNREADABLE'));
    }
}

type BatchAnswer = Awaited<ReturnType<typeof requestBatch>>;

/** Sends one request for at most `MAX_INPUTS` records. @returns its parsed answer. */
async function requestBatch(
  exchange: Exchange,
  request: Omit<ReadBatchRequest, 'ids'> & { readonly archived?: boolean },
  ids: readonly string[],
) {
  const { objectType, properties, propertiesWithHistory = [], archived, untilMs } = request;
  const body = {
    inputs: ids.map((id) => ({ id })),
    properties: [...new Set([...properties, MERGED_IDS])],
    propertiesWithHistory: [...propertiesWithHistory],
  };
  const built = await dated(batchRequests.read(objectType, body, archived));
  const response = await exchange({ ...built, untilMs });
  const answer = readAnswer(response, BatchAnswerSchema);
  const errors = answer.errors.map((error) => toBatchError(error, requestIdOf(response, error)));
  return { ...answer, errors };
}

/** Whether a part of the answer cannot be assigned to a requested id. Then an id without an answer may exist. */
function isUnclear({ results, errors, unreadable }: BatchAnswer, ids: readonly string[]): boolean {
  const requested = new Set(ids);
  const isOther = ({ id, mergedIds }: HubSpotObject) =>
    ![id, ...mergedIds].some((each) => requested.has(each));
  return unreadable > 0 || results.some(isOther) || errors.some((error) => error.ids.size === 0);
}

const NOT_FOUND = 'OBJECT_NOT_FOUND';

function addError(collected: Collected, id: string, error: BatchError): void {
  if (error.category === NOT_FOUND) collected.missing.push(id);
  else collected.failed.push(failureOfInput(id, error));
}

/**
 * Checks in one request whether HubSpot has these records. Unlike `readBatch`, this counts an id as missing only if
 * HubSpot names it as not found. It sends no second request.
 */
export async function lookUpIds(
  exchange: Exchange,
  { ids, ...request }: LookUpIdsRequest,
): Promise<IdLookup> {
  const answer = await requestBatch(exchange, { ...request, properties: [] }, ids);
  const { results, errors } = answer;
  const existing = new Set(results.flatMap(({ id, mergedIds }) => [id, ...mergedIds]));
  const found = new Set([...existing].filter((id) => ids.includes(id)));
  if (isUnclear(answer, ids)) return { found, notFound: new Set() };
  const isNotFound = (id: string) => {
    const named = errors.filter((error) => error.ids.has(id));
    return !found.has(id) && named.length > 0 && named.every(({ category }) => category === NOT_FOUND);
  };
  return { found, notFound: new Set(ids.filter(isNotFound)) };
}

/** HubSpot's limit of inputs in a batch update. */
const MAX_UPDATES = 100;

/** Refusals of a whole batch because of single inputs: an invalid value, a missing record, a conflict. */
const WHOLE_BATCH = [400, 404, 409];

/**
 * Makes one attempt without retries. Before a retry, the records must be read again, because people may have changed
 * them. A refusal has one of three forms: a 207 that names the input by `objectWriteTraceId`, a 400 that names a
 * property, or a 400 that names nothing.
 */
export async function updateBatch(
  exchange: Exchange,
  { objectType, updates, ...limits }: UpdateBatchRequest,
): Promise<UpdateAttempt> {
  assert(updates.length <= MAX_UPDATES, `a batch update has at most ${MAX_UPDATES} inputs`);
  assert(
    new Set(updates.map(({ id }) => id)).size === updates.length,
    'a batch update names each record once',
  );
  if (updates.length === 0) return NOTHING_SENT;
  // The trace id is the record's id, because a trace id only has to be unique in the request.
  const inputs = updates.map(({ id, properties }) => ({ id, objectWriteTraceId: id, properties }));
  try {
    const request = await dated(batchRequests.update(objectType, { inputs }));
    const response = await exchange({ ...request, ...limits, accept: WHOLE_BATCH, once: true });
    return updateAttempt(updates, response);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: 'failed', error, mayHaveArrived: mayHaveArrived(error) };
  }
}

const NOTHING_SENT = { kind: 'answered', updated: [], failed: [], untouched: [], unconfirmed: [] } as const;

/**
 * Whether HubSpot may have written values. A refusal proves that nothing was written. A server failure or a lost answer
 * proves nothing.
 */
function mayHaveArrived({ code }: UpstreamError): boolean {
  return UNPROVED_CODES.has(code);
}

const UNPROVED_CODES: ReadonlySet<string> = new Set<HttpErrorCode | HubSpotErrorCode>([
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_LOST',
  'HTTP_ABORTED',
  'HTTP_RESPONSE_TOO_LARGE',
  'HUBSPOT_UNAVAILABLE',
  'HUBSPOT_UNREADABLE_ANSWER',
]);

function updateAttempt(updates: readonly RecordUpdate[], response: HttpResponse): UpdateAttempt {
  const { results, errors } = read(response);
  const written = new Set(results.flatMap((object) => [object.id, ...object.mergedIds]));
  const failed: BatchFailure[] = [];
  const unassigned = updates.filter((update) => {
    if (written.has(update.id)) return false;
    const error = errors.find((batchError) => causedBy(update, batchError));
    if (error !== undefined) failed.push(failureOfInput(update.id, error));
    return error === undefined;
  });
  const [single, ...others] = unassigned;
  // In a request for a single record, every error is about this record.
  if (single && others.length === 0 && updates.length === 1)
    return {
      ...NOTHING_SENT,
      updated: results,
      failed: [failureOfInput(single.id, errors[0] ?? ownError('UNCONFIRMED'))],
    };
  const fate = WHOLE_BATCH.includes(response.status) ? 'untouched' : 'unconfirmed';
  return { ...NOTHING_SENT, updated: results, failed, [fate]: unassigned.map(({ id }) => id) };
}

interface ChunkAnswer {
  readonly results: readonly HubSpotObject[];
  readonly errors: readonly BatchError[];
}

function read(response: HttpResponse): ChunkAnswer {
  const toError = (error: HubSpotErrorBody) => toBatchError(error, requestIdOf(response, error));
  if (!WHOLE_BATCH.includes(response.status)) {
    const { results, errors } = readAnswer(response, BatchAnswerSchema);
    return { results, errors: errors.map(toError) };
  }
  const whole = errorIn(response);
  const named = whole.errors
    .map((part) => ({
      ...whole,
      ...part,
      category: part.category ?? whole.category,
      correlationId: part.correlationId ?? whole.correlationId,
      errors: [],
    }))
    .map(toError)
    .filter((part) => part.ids.size > 0);
  return { results: [], errors: named.length > 0 ? named : [toError(whole)] };
}

function causedBy(update: RecordUpdate, error: BatchError): boolean {
  return (
    error.ids.has(update.id) ||
    [...error.impossibleProperties].some((name) => Object.hasOwn(update.properties, name))
  );
}

/** Limits of the page size, and of the filters of one group. Source: HubSpot developer docs, "Search the CRM". */
const MAX_LIMIT = 200;
const MAX_FILTERS = 6;

/** An account may send five searches a second. This process uses four and leaves one to other apps. */
const SEARCH_INTERVAL_MS = 250;

export interface Searcher {
  readonly exchange: Exchange;
  /** Waits until this process may send its next search. */
  readonly turn: () => Promise<void>;
}

/** Spaces the searches of one process evenly. Several processes are slowed down by HubSpot's 429 and the retries. */
export function createSearchPacing(clock: Clock): Searcher['turn'] {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonic();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + SEARCH_INTERVAL_MS;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs);
  };
}

/**
 * Reads a page of matches in the order of their ids. One query returns at most 10,000 results, so each page is a new
 * query for ids above the last id. HubSpot's search index is "a few moments" late.
 */
export async function search(
  { exchange, turn }: Searcher,
  { objectType, filters: wanted, afterId, properties, limit, untilMs }: SearchRequest,
): Promise<SearchPage> {
  const above = { propertyName: 'hs_object_id', operator: 'GT', value: afterId };
  const filters = [...wanted, ...(afterId === undefined ? [] : [above])];
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT, 'a search page has 1 to 200 results');
  assert(filters.length <= MAX_FILTERS, 'a search has at most 6 filters');
  const body = {
    filterGroups: filters.length > 0 ? [{ filters: filters as Filter[] }] : [],
    properties: [...new Set([...properties, 'hs_merged_object_ids'])],
    limit,
    // HubSpot accepts objects here. The generated type is `string[]`, but its serialiser passes both unchanged.
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] as unknown as string[],
  };
  const request = await dated(searchRequests.doSearch(objectType, body));
  await turn();
  const response = await exchange({ ...request, untilMs });
  const { total, results, paging } = readAnswer(response, SearchAnswerSchema);
  return { total, results, hasMore: paging !== undefined };
}

/** Reads all matches. Records that are created during the search are included if their id is higher. */
export async function* searchAll(
  searcher: Searcher,
  request: SearchAllRequest,
): AsyncGenerator<HubSpotObject, void, undefined> {
  for (let afterId: string | undefined; ; ) {
    const { results, hasMore } = await search(searcher, { ...request, afterId, limit: MAX_LIMIT });
    yield* results;
    const lastId = results.at(-1)?.id;
    if (!hasMore || lastId === undefined) return;
    // Otherwise the pages would never end.
    if (afterId !== undefined && Number(lastId) <= Number(afterId)) throw notAscending();
    afterId = lastId;
  }
}

function notAscending(): UpstreamError {
  return new UpstreamError({
    code: 'HUBSPOT_UNREADABLE_ANSWER',
    message: 'HubSpot returned search results in another order than requested.',
    retryable: true,
  });
}

/** Limits of inputs in a batch read, and in a batch of new associations. Source: HubSpot developer docs, "Associations". */
const MAX_READ = 1_000;
const MAX_CREATE = 2_000;

const BATCH = `/crm/associations/${API_VERSION}/contacts/companies/batch`;

/** Returns the contacts that have a company, primary or not. */
export async function contactsWithCompany(
  exchange: Exchange,
  { contactIds, ...limits }: AssociatedRequest,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const ids of inChunks([...new Set(contactIds)], MAX_READ)) {
    const body = JSON.stringify({ inputs: ids.map((id) => ({ id })) });
    const response = await exchange({ method: 'POST', path: `${BATCH}/read`, body, ...limits });
    // HubSpot reports a contact without a company as an error of the batch, so errors are ignored here.
    const { results } = readAnswer(response, AssociationsAnswerSchema);
    for (const { from, to } of results) if (to.length > 0) found.add(from.id);
  }
  return found;
}

/**
 * Creates default associations, without a label. Safe to repeat. If HubSpot refuses a whole batch, halves it until the
 * refused associations are found.
 * @returns the refused associations, with HubSpot's category or our error code.
 */
export async function associateContacts(
  exchange: Exchange,
  { associations, ...limits }: AssociateRequest,
): Promise<ReadonlyMap<Association, string>> {
  const refused = new Map<Association, string>();
  for (const chunk of inChunks(associations, MAX_CREATE))
    await associate({ exchange, limits, refused }, chunk);
  return refused;
}

interface Associating {
  readonly exchange: Exchange;
  readonly limits: Limits;
  readonly refused: Map<Association, string>;
}

async function associate(associating: Associating, associations: readonly Association[]): Promise<void> {
  const { refused } = associating;
  try {
    const { results, errors } = await send(associating, associations);
    const created = new Set(
      results.flatMap(({ from, to }) => [`${from.id}>${to.id}`, `${to.id}>${from.id}`]),
    );
    const reason = errors[0]?.category ?? 'UNCONFIRMED';
    for (const association of associations)
      if (!created.has(`${association.contactId}>${association.companyId}`)) refused.set(association, reason);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { kind } = HUBSPOT_ERRORS[error.code as HubSpotErrorCode] ?? {};
    if (kind !== 'scope' && kind !== 'request') throw error;
    if (associations.length > 1 && kind === 'request') {
      const half = Math.ceil(associations.length / 2);
      for (const part of inChunks(associations, half)) await associate(associating, part);
    } else for (const association of associations) refused.set(association, error.code);
  }
}

async function send({ exchange, limits }: Associating, associations: readonly Association[]) {
  const inputs = associations.map(({ contactId, companyId }) => ({
    from: { id: contactId },
    to: { id: companyId },
  }));
  const path = `${BATCH}/associate/default`;
  const response = await exchange({ method: 'POST', path, body: JSON.stringify({ inputs }), ...limits });
  return readAnswer(response, AssociatedAnswerSchema);
}
