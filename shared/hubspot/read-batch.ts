import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import type { Configuration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { inChunks } from '#shared/kernel';
import { type BatchError, failureOfInput, readAnswer, requestIdOf, toBatchError } from './failures.ts';
import { BatchAnswerSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  BatchFailure,
  HubSpotObject,
  IdLookup,
  LookUpIdsRequest,
  ReadBatchRequest,
  ReadBatchResult,
  ReadHistoryRequest,
  ReadHistoryResult,
} from './types.ts';

/** HubSpot's limits of inputs in a batch read, without and with history. */
const MAX_INPUTS = 100;

const MAX_INPUTS_WITH_HISTORY = 50;

/** This property is always read. It shows which requested ids were merged into a record. */
const MERGED_IDS = 'hs_merged_object_ids';

export interface BatchReader {
  readonly exchange: Exchange;
  readonly configuration: Configuration;
}

export async function readBatch(reader: BatchReader, request: ReadBatchRequest): Promise<ReadBatchResult> {
  const collected: Collected = { byAskedId: new Map(), missing: [], failed: [] };
  const size = request.propertiesWithHistory?.length ? MAX_INPUTS_WITH_HISTORY : MAX_INPUTS;
  for (const ids of inChunks([...new Set(request.ids)], size)) {
    await readChunk({ reader, request, collected }, ids);
  }
  const found = new Map([...collected.byAskedId.values()].map((object) => [object.id, object]));
  return { ...collected, found: [...found.values()] };
}

interface Collected {
  readonly byAskedId: Map<string, HubSpotObject>;
  readonly missing: string[];
  readonly failed: BatchFailure[];
}

interface Reading {
  readonly reader: BatchReader;
  readonly request: ReadBatchRequest;
  readonly collected: Collected;
}

async function readChunk(reading: Reading, ids: readonly string[]): Promise<void> {
  const { reader, request, collected } = reading;
  const { results, errors, unreadable } = await requestBatch(reader, request, ids);
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
  if (unanswered.length === 0) return;
  const requested = new Set(ids);
  const isUnclear =
    unreadable > 0 ||
    results.some(
      (object) => !requested.has(object.id) && !object.mergedIds.some((id) => requested.has(id)),
    ) ||
    errors.some((error) => error.ids.size === 0);
  if (!isUnclear) collected.missing.push(...unanswered);
  else if (ids.length === 1) assignSingleAnswer({ reading, ids, object: results[0], error: errors[0] });
  else for (const id of unanswered) await readChunk(reading, [id]);
}

/** Sends one request for at most `MAX_INPUTS` records. @returns its parsed answer. */
async function requestBatch(
  reader: BatchReader,
  request: Omit<ReadBatchRequest, 'ids'> & { readonly archived?: boolean },
  ids: readonly string[],
) {
  const inputs = {
    inputs: ids.map((id) => ({ id })),
    properties: [...new Set([...request.properties, MERGED_IDS])],
    propertiesWithHistory: [...(request.propertiesWithHistory ?? [])],
  };
  const factory = new BatchApiRequestFactory(reader.configuration);
  const generated = await factory.read(request.objectType, inputs, request.archived);
  const response = await reader.exchange(generated, { signal: request.signal, untilMs: request.untilMs });
  const answer = readAnswer(response, BatchAnswerSchema);
  const errors = answer.errors.map((error) => toBatchError(error, requestIdOf(response, error)));
  return { ...answer, errors };
}

/**
 * Assigns the answer of a request for a single id. The answer is about this id, even if the record does not list the id
 * as merged.
 */
function assignSingleAnswer(input: {
  readonly reading: Reading;
  readonly ids: readonly string[];
  readonly object: HubSpotObject | undefined;
  readonly error: BatchError | undefined;
}): void {
  const { collected } = input.reading;
  for (const id of input.ids) {
    if (input.object !== undefined) collected.byAskedId.set(id, input.object);
    else addError(collected, id, input.error ?? UNREADABLE);
  }
}

function addError(collected: Collected, id: string, error: BatchError): void {
  if (error.category === 'OBJECT_NOT_FOUND') collected.missing.push(id);
  else collected.failed.push(failureOfInput(id, error));
}

const UNREADABLE: BatchError = {
  ids: new Set(),
  impossibleProperties: new Set(),
  category: 'UNREADABLE',
  reason: 'UNREADABLE',
  properties: [],
  retryable: true,
  correlationId: undefined,
};

/** Reads the history of properties, 50 records in a request. */
export async function readHistory(
  reader: BatchReader,
  { properties, ...request }: ReadHistoryRequest,
): Promise<ReadHistoryResult> {
  const readRequest = { ...request, properties: [], propertiesWithHistory: properties };
  const { byAskedId, missing, failed } = await readBatch(reader, readRequest);
  return {
    byAskedId: new Map([...byAskedId].map(([id, { history = {} }]) => [id, history])),
    missing,
    failed,
  };
}

/**
 * Checks in one request whether HubSpot has these records. Unlike `readBatch`, this counts an id as missing only if
 * HubSpot names it as not found. It sends no second request.
 */
export async function lookUpIds(
  reader: BatchReader,
  { ids, ...request }: LookUpIdsRequest,
): Promise<IdLookup> {
  const { results, errors, unreadable } = await requestBatch(reader, { ...request, properties: [] }, ids);
  const requested = new Set(ids);
  const found = new Set(
    results.flatMap(({ id, mergedIds }) => [id, ...mergedIds]).filter((id) => requested.has(id)),
  );
  const isUnclear =
    unreadable > 0 ||
    results.some(({ id, mergedIds }) => ![id, ...mergedIds].some((recordId) => requested.has(recordId))) ||
    errors.some((error) => error.ids.size === 0);
  if (isUnclear) return { found, notFound: new Set() };
  const otherErrors = errors.filter(({ category }) => category !== NOT_FOUND);
  const isNotFound = (id: string) =>
    !found.has(id) &&
    !otherErrors.some((error) => error.ids.has(id)) &&
    errors.some((error) => error.category === NOT_FOUND && error.ids.has(id));
  return { found, notFound: new Set(ids.filter(isNotFound)) };
}

const NOT_FOUND = 'OBJECT_NOT_FOUND';
