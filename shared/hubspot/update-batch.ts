import type { HttpErrorCode, HttpResponse } from '#shared/http';
import { assert, UpstreamError } from '#shared/kernel';
import type { HubSpotErrorCode } from './errors.ts';
import {
  type BatchError,
  errorIn,
  failureOfInput,
  ownError,
  readAnswer,
  requestIdOf,
  toBatchError,
} from './failures.ts';
import { batchRequests, dated } from './requests.ts';
import { BatchAnswerSchema, type HubSpotErrorBody } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  BatchFailure,
  HubSpotObject,
  RecordUpdate,
  UpdateAttempt,
  UpdateBatchRequest,
} from './types.ts';

/** HubSpot's limit of inputs in a batch update. */
const MAX_INPUTS = 100;

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
  assert(updates.length <= MAX_INPUTS, `a batch update has at most ${MAX_INPUTS} inputs`);
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
