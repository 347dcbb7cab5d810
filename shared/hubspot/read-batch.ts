import { inChunks } from '#shared/kernel';
import {
  type BatchError,
  failureOfInput,
  ownError,
  readAnswer,
  requestIdOf,
  toBatchError,
} from './failures.ts';
import { batchRequests, dated } from './requests.ts';
import { BatchAnswerSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  BatchFailure,
  HubSpotObject,
  IdLookup,
  LookUpIdsRequest,
  ReadBatchRequest,
  ReadBatchResult,
} from './types.ts';

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
