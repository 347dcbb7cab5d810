import { ApiError, badRequest, type Failure, failureBody } from '../door/api-error.ts';
import { asObject, type JsonObject, listIn, optionalText } from '../door/json.ts';
import type { Call, Reply } from '../door/route.ts';
import { iso } from './record-view.ts';

const BATCH_MOST = 100;

/** A valid input, or its failure. */
export type Prepared =
  | { readonly ok: true; readonly apply: () => JsonObject }
  | { readonly ok: false; readonly failure: Failure };

export interface Batch {
  readonly inputs: readonly JsonObject[];
  /** Whether the operation may return a result for each input. */
  readonly mayBePartial: boolean;
  readonly prepare: (input: JsonObject) => Prepared;
  /** Status if all inputs succeed. */
  readonly status: 200 | 201;
}

interface FailedInput {
  readonly input: JsonObject;
  readonly failure: Failure;
}

/** @throws ApiError 400 without inputs, or with more than `most`. */
export function batchInputs(call: Call, most = BATCH_MOST): JsonObject[] {
  const inputs = listIn(asObject(call.body), 'inputs').map((input) => asObject(input, 'an input'));
  if (inputs.length === 0) throw new ApiError(badRequest('Some required fields were not set: [inputs]'));
  if (inputs.length <= most) return inputs;
  throw new ApiError(badRequest(`The maximum number of inputs supported in a batch request is ${most}`));
}

/** @throws ApiError 400 if two inputs have the same value. */
export function refuseDuplicates({ portal }: Call, values: readonly string[]): void {
  if (portal.state.settings.duplicateInputs === 'accepted') return;
  const twice = [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
  if (twice.length === 0) return;
  const message = `Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`;
  throw new ApiError(badRequest(message, { context: { ids: twice } }));
}

/**
 * Runs a batch. If every input has its own `objectWriteTraceId`, each succeeds or fails alone. Otherwise one invalid
 * input fails the whole batch, and nothing is written. A missing record always fails alone.
 */
export function runBatch(call: Call, batch: Batch): Reply {
  if (!isPartial(batch)) refuseIfInvalid(batch);
  const results: JsonObject[] = [];
  const failed: FailedInput[] = [];
  for (const input of batch.inputs) {
    const prepared = batch.prepare(input);
    if (prepared.ok) results.push(withTrace(input, prepared.apply()));
    else failed.push({ input, failure: prepared.failure });
  }
  return batchReply(call, { status: batch.status, results, errors: failed.map((one) => errorOf(call, one)) });
}

export function batchReply(
  { portal }: Call,
  { status, results, errors }: { status: 200 | 201; results: readonly unknown[]; errors: readonly unknown[] },
): Reply {
  const now = iso(portal.clock.now());
  const failed = errors.length > 0 && { numErrors: errors.length, errors };
  const times = { requestedAt: now, startedAt: now, completedAt: now };
  return { status: failed ? 207 : status, body: { status: 'COMPLETE', results, ...times, ...failed } };
}

/** Checks all inputs before the first write. The error has the reasons of all inputs, without naming the inputs. */
function refuseIfInvalid({ inputs, prepare }: Batch): void {
  const failures = inputs
    .map((input) => prepare(input))
    .flatMap((prepared) => (prepared.ok ? [] : [prepared.failure]))
    .filter((failure) => failure.category !== 'OBJECT_NOT_FOUND');
  const [first] = failures;
  if (!first) return;
  const errors = failures.flatMap((failure) => failure.errors ?? []);
  throw new ApiError({ ...first, ...(errors.length > 0 && { errors }) });
}

/** Whether each input will succeed or fail alone. */
export function isPartial({ mayBePartial, inputs }: Pick<Batch, 'mayBePartial' | 'inputs'>): boolean {
  const traces = inputs.map((input) => optionalText(input, 'objectWriteTraceId'));
  return mayBePartial && !traces.includes(undefined) && new Set(traces).size === inputs.length;
}

function withTrace(input: JsonObject, result: JsonObject): JsonObject {
  const objectWriteTraceId = optionalText(input, 'objectWriteTraceId');
  return objectWriteTraceId === undefined ? result : { ...result, objectWriteTraceId };
}

function errorOf({ portal }: Call, { input, failure }: FailedInput): JsonObject {
  const isNamed = portal.state.settings.errorsNameTrace;
  const trace = isNamed ? optionalText(input, 'objectWriteTraceId') : undefined;
  const context = { ...failure.context, ...(trace !== undefined && { objectWriteTraceId: [trace] }) };
  return failureBody({ ...failure, context });
}
