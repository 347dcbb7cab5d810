import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import type { Configuration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import type { HttpErrorCode, HttpResponse } from '#shared/http';
import { assert, UpstreamError } from '#shared/kernel';
import { type BatchError, failureOfInput, toBatchError } from './batch-errors.ts';
import type { HubSpotErrorCode } from './error-codes.ts';
import { errorIn, readAnswer, requestIdOf } from './failures.ts';
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

export interface BatchWriter {
  readonly exchange: Exchange;
  readonly configuration: Configuration;
}

/**
 * Makes one attempt without retries, because a retry needs another read of values that people wrote meanwhile. It handles
 * three forms of a refusal: a 207 that names the input by `objectWriteTraceId`, a 400 that names a property, and a 400
 * that names nothing.
 */
export async function updateBatch(
  writer: BatchWriter,
  { objectType, updates, ...limits }: UpdateBatchRequest,
): Promise<UpdateAttempt> {
  assert(updates.length <= MAX_INPUTS, `a batch update has at most ${MAX_INPUTS} inputs`);
  assert(
    new Set(updates.map(({ id }) => id)).size === updates.length,
    'a batch update names each record once',
  );
  if (updates.length === 0) return NOTHING_SENT;
  // A trace id only has to be unique in the request, so it is the record's id.
  const inputs = updates.map(({ id, properties }) => ({
    id,
    objectWriteTraceId: id,
    properties: { ...properties },
  }));
  try {
    const factory = new BatchApiRequestFactory(writer.configuration);
    const generated = await factory.update(objectType, { inputs });
    const response = await writer.exchange(generated, { ...limits, accept: WHOLE_BATCH, once: true });
    return sorted(updates, response);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: 'failed', error, mayHaveArrived: mayHaveArrived(error) };
  }
}

const NOTHING_SENT = { kind: 'answered', updated: [], failed: [], untouched: [], unconfirmed: [] } as const;

/** A refusal proves that nothing was written. A failed server or a lost answer proves nothing. */
function mayHaveArrived({ code }: UpstreamError): boolean {
  return UNPROVED.has(code);
}

const UNPROVED: ReadonlySet<string> = new Set<HttpErrorCode | HubSpotErrorCode>([
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_LOST',
  'HTTP_ABORTED',
  'HTTP_RESPONSE_TOO_LARGE',
  'HUBSPOT_UNAVAILABLE',
  'HUBSPOT_UNREADABLE_ANSWER',
]);

function sorted(updates: readonly RecordUpdate[], response: HttpResponse): UpdateAttempt {
  const { results, errors } = read(response);
  const written = new Set(results.flatMap((object) => [object.id, ...object.mergedIds]));
  const failed: BatchFailure[] = [];
  const rest = updates.filter((update) => {
    if (written.has(update.id)) return false;
    const error = errors.find((one) => isGuilty(update, one));
    if (error !== undefined) failed.push(failureOfInput(update.id, error));
    return error === undefined;
  });
  const [only, ...others] = rest;
  // In a request for a single record, every error is about this record.
  if (only && others.length === 0 && updates.length === 1)
    return { ...NOTHING_SENT, updated: results, failed: [failureOfInput(only.id, errors[0] ?? UNCONFIRMED)] };
  const left = WHOLE_BATCH.includes(response.status) ? 'untouched' : 'unconfirmed';
  return { ...NOTHING_SENT, updated: results, failed, [left]: rest.map(({ id }) => id) };
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

function isGuilty(update: RecordUpdate, error: BatchError): boolean {
  return (
    error.ids.has(update.id) ||
    [...error.impossibleProperties].some((name) => Object.hasOwn(update.properties, name))
  );
}

/** Error of a record that was updated alone, but is neither in the results nor in the errors. */
const UNCONFIRMED: BatchError = {
  ids: new Set(),
  impossibleProperties: new Set(),
  category: 'UNCONFIRMED',
  reason: 'UNCONFIRMED',
  properties: [],
  retryable: true,
  correlationId: undefined,
};
