import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import type { Configuration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import type { HttpResponse } from '../http/http-request.ts';
import { assert, OutsideError } from '../kernel/errors.ts';
import { type BatchError, failureOfInput, toBatchError } from './batch-errors.ts';
import { inChunks } from './chunks.ts';
import { errorIn, readAnswer, requestIdOf } from './failures.ts';
import { BatchAnswerSchema, type HubSpotErrorBody } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  BatchFailure,
  HubSpotObject,
  RecordUpdate,
  UpdateBatchRequest,
  UpdateBatchResult,
} from './types.ts';

/** HubSpot's limit of inputs for a batch update. */
const MAX_INPUTS = 100;

/** Refusals of a whole batch for the sake of single inputs: a value, a record that is gone, a conflict. */
const WHOLE_BATCH = [400, 404, 409];

export interface BatchWriter {
  readonly exchange: Exchange;
  readonly configuration: Configuration;
}

/**
 * Writes in chunks; each record ends as updated or failed, whatever form HubSpot gives a refusal: a 207 that names the
 * input by its `objectWriteTraceId`, a 400 that names a property, or a 400 that names nothing, which is bisected down
 * to the guilty record. Repeating a part is harmless, because values are absolute.
 */
export async function updateBatch(
  writer: BatchWriter,
  request: UpdateBatchRequest,
): Promise<UpdateBatchResult> {
  const ids = new Set(request.updates.map((update) => update.id));
  assert(ids.size === request.updates.length, 'a batch update names each record once');
  const writing: Writing = { writer, request, updated: [], failed: [], stoppedBy: undefined };
  for (const updates of inChunks(request.updates, MAX_INPUTS)) await updateChunk(writing, updates);
  return { updated: writing.updated, failed: writing.failed };
}

interface Writing {
  readonly writer: BatchWriter;
  readonly request: UpdateBatchRequest;
  readonly updated: HubSpotObject[];
  readonly failed: BatchFailure[];
  /** The failure of HubSpot as a whole, after which nothing more is sent. */
  stoppedBy: OutsideError | undefined;
}

async function updateChunk(writing: Writing, updates: readonly RecordUpdate[]): Promise<void> {
  const answer = await ask(writing, updates);
  if (answer === undefined) return;
  const { errors } = answer;
  const written = new Set(answer.results.flatMap((object) => [object.id, ...object.mergedIds]));
  writing.updated.push(...answer.results);
  const refused = updates.filter((update) => !written.has(update.id));
  const unexplained = refused.filter((update) => {
    const error = errors.find((one) => isGuilty(update, one));
    if (error !== undefined) writing.failed.push(failureOfInput(update.id, error));
    return error === undefined;
  });
  if (unexplained.length < updates.length) return again(writing, [unexplained]);
  if (unexplained.length > 1) return again(writing, inChunks(unexplained, Math.ceil(unexplained.length / 2)));
  for (const { id } of unexplained) writing.failed.push(failureOfInput(id, errors[0] ?? UNCONFIRMED));
}

async function again(writing: Writing, parts: readonly (readonly RecordUpdate[])[]): Promise<void> {
  for (const part of parts) if (part.length > 0) await updateChunk(writing, part);
}

interface ChunkAnswer {
  readonly results: readonly HubSpotObject[];
  readonly errors: readonly BatchError[];
}

/** @returns undefined when HubSpot failed as a whole, but part of the batch was settled before. */
async function ask(writing: Writing, updates: readonly RecordUpdate[]): Promise<ChunkAnswer | undefined> {
  try {
    if (writing.stoppedBy !== undefined) throw writing.stoppedBy;
    return read(await send(writing, updates));
  } catch (error) {
    const untouched = writing.updated.length + writing.failed.length === 0;
    if (!(error instanceof OutsideError) || untouched) throw error;
    writing.stoppedBy = error;
    writing.failed.push(...updates.map((update) => stopped(update.id, error)));
    return undefined;
  }
}

async function send({ writer, request }: Writing, updates: readonly RecordUpdate[]): Promise<HttpResponse> {
  const generated = await new BatchApiRequestFactory(writer.configuration).update(request.objectType, {
    // Unique within the request is all that a trace id must be; the record's own id saves a table.
    inputs: updates.map(({ id, properties }) => ({
      id,
      objectWriteTraceId: id,
      properties: { ...properties },
    })),
  });
  return writer.exchange(generated, {
    accept: WHOLE_BATCH,
    signal: request.signal,
    untilMs: request.untilMs,
  });
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

/** HubSpot as a whole failed, which says nothing against this record: whatever stopped the others may pass. */
function stopped(id: string, { code, requestId }: OutsideError): BatchFailure {
  const correlation = requestId === undefined ? {} : { correlationId: requestId };
  return { id, reason: code, category: code, retryable: true, ...correlation };
}

/** Neither among the results nor among the errors, although asked for alone. */
const UNCONFIRMED: BatchError = {
  ids: new Set(),
  impossibleProperties: new Set(),
  category: 'UNCONFIRMED',
  reason: 'UNCONFIRMED',
  retryable: true,
  correlationId: undefined,
};
