import { parseJson } from '#shared/kernel';
import { wordOf } from './failures.ts';
import { type HubSpotErrorBody, MessageDetailsSchema } from './schemas.ts';
import type { BatchFailure } from './types.ts';

/** One error of a batch: the inputs that caused the error, and facts without personal data. */
export interface BatchError {
  /** Record ids in the error, as ids or as `objectWriteTraceId`s (see `update-batch.ts`). */
  readonly ids: ReadonlySet<string>;
  /** Properties that cannot be written with any value. Every input with such a property fails. */
  readonly impossibleProperties: ReadonlySet<string>;
  readonly category: string;
  readonly reason: string;
  /** Properties that the error names. */
  readonly properties: readonly string[];
  readonly retryable: boolean;
  /** See `BatchFailure`. */
  readonly isLiftable?: boolean;
  readonly correlationId: string | undefined;
}

/** @param fallbackId the correlation id of the whole answer, for errors without their own. */
export function toBatchError(error: HubSpotErrorBody, fallbackId: string | undefined): BatchError {
  const faults = faultsOf(error);
  const category = wordOf(error.category) ?? wordOf(error.errorType) ?? 'UNKNOWN';
  const reason =
    faults.length === 0
      ? (wordOf(error.subCategory) ?? category)
      : [...new Set(faults.map(describe))].join(', ');
  return {
    ids: new Set(ID_KEYS.flatMap((key) => error.context[key] ?? [])),
    impossibleProperties: new Set(
      faults.flatMap((fault) => (IMPOSSIBLE.has(fault.code) ? fault.properties : [])),
    ),
    category,
    reason,
    properties: [...new Set(faults.flatMap(({ properties }) => properties))],
    retryable: TRANSIENT.test(category),
    isLiftable: LIFTABLE.test(reason),
    correlationId: error.correlationId ?? fallbackId,
  };
}

export function failureOfInput(id: string, error: BatchError): BatchFailure {
  const { category, reason, properties, retryable, isLiftable, correlationId } = error;
  return {
    id,
    reason,
    properties,
    category,
    retryable,
    ...(isLiftable && { isLiftable }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}

const ID_KEYS = ['objectWriteTraceId', 'id', 'ids', 'objectId', 'objectIds'];
const IMPOSSIBLE: ReadonlySet<string> = new Set(['PROPERTY_DOESNT_EXIST', 'READ_ONLY_VALUE']);
// HubSpot publishes no list of its categories and codes, so these patterns match parts of the names.
const TRANSIENT = /RATE_LIMIT|INTERNAL|TIMEOUT|LOCKED|UNAVAILABLE/;
const LIFTABLE = /MISSING_|READ_ONLY|DOESNT_EXIST|INVALID_OPTION|PERMISSION/;

interface Fault {
  readonly code: string;
  readonly properties: readonly string[];
}

function faultsOf(error: HubSpotErrorBody): readonly Fault[] {
  const nested = error.errors.map((detail) => fault(detail.code, detail.context['propertyName']));
  const own = fault(error.code, error.context['propertyName']);
  const fromMessage = detailsIn(error.message).map(({ code, property }) =>
    fault(code, property === undefined ? undefined : [property]),
  );
  return [own, ...nested, ...fromMessage].filter((found) => found !== undefined);
}

function fault(code: string | undefined, properties: readonly string[] | undefined): Fault | undefined {
  const word = wordOf(code);
  if (word === undefined) return undefined;
  return { code: word, properties: (properties ?? []).filter((name) => wordOf(name) !== undefined) };
}

function describe({ code, properties }: Fault): string {
  return properties.length === 0 ? code : `${code} (${properties.join(', ')})`;
}

/** `Property values were not valid: [{"error":"INVALID_OPTION","name":"industry", ...}]` */
function detailsIn(message = ''): readonly { code?: string | undefined; property?: string | undefined }[] {
  const start = message.indexOf('[{');
  if (start < 0) return [];
  // If the text is not JSON, only the category is known.
  return MessageDetailsSchema.parse(parseJson(message.slice(start, message.lastIndexOf(']') + 1)));
}
