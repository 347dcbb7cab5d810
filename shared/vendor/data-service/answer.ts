import type { HttpResponse } from '#shared/http';
import { parseJson } from '#shared/kernel';
import { malformedAnswer } from './failures.ts';
import { readLeniently, type Schema } from './lenient.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { isAbsent, isObject } from './parameter-rules.ts';
import { readRateHeaders } from './rate-headers.ts';
import {
  ANSWER_SCHEMAS,
  companyInfoSchema,
  envelopeSchema,
  type OperationData,
  paginationSchema,
} from './schemas.ts';
import type { ServiceAnswer } from './types.ts';

/** The schemas, typed so that the compiler knows the type of each operation's data. */
const SCHEMAS: { readonly [Name in OperationName]: Schema<OperationData[Name]> } = ANSWER_SCHEMAS;

/**
 * Parses a response with a success status.
 * @throws DataServiceError `DATA_SERVICE_MALFORMED_ANSWER` if `data` is missing or does not fit the operation
 */
export function readServiceAnswer<Name extends OperationName>(
  operation: Name,
  response: HttpResponse,
): ServiceAnswer<OperationData[Name]> {
  const malformed = (message: string) => malformedAnswer(operation, { response, message });
  const body = parseJson(response.body);
  if (body === undefined) throw malformed('The answer of the data service is not JSON.');
  if (!isObject(body)) throw malformed('The answer of the data service is not a JSON object.');
  const value = body['data'];
  if (isAbsent(value)) throw malformed('The answer of the data service lacks data.');
  const drift = new Set<string>();
  const onDrift = (field: string) => drift.add(field);
  const schema: Schema<OperationData[Name]> = SCHEMAS[operation];
  const data = readLeniently({ schema, value, onDrift });
  if (data === undefined) throw malformed('The data of the answer does not fit the operation.');
  const envelope = readEnvelope({ body, operation, response, onDrift });
  const requestId = response.headers['x-request-id'];
  return {
    data,
    results: Array.isArray(value) ? value.length : 1,
    ...envelope,
    rate: readRateHeaders(response),
    ...(requestId !== undefined && { requestId }),
    drift: [...drift],
  };
}

interface Reading {
  readonly body: Readonly<Record<string, unknown>>;
  readonly operation: OperationName;
  readonly response: HttpResponse;
  readonly onDrift: (field: string) => void;
}

/**
 * Parses the fields other than `data`. A deviation counts as drift and not as a failure, because the records are usable
 * and paid for.
 */
function readEnvelope(reading: Reading) {
  const { body, operation, response, onDrift } = reading;
  const onEnvelopeDrift = (field: string) => onDrift(`envelope.${field}`);
  const { statusCode, message } =
    readLeniently({ schema: envelopeSchema, value: body, onDrift: onEnvelopeDrift }) ?? {};
  const isExpected = statusCode === OPERATIONS[operation].successStatus && statusCode === response.status;
  if (!isExpected) onEnvelopeDrift('statusCode');
  if (message === undefined) onEnvelopeDrift('message');
  const envelope = { statusCode: statusCode ?? response.status, message: message ?? '' };
  if (operation !== 'searchEmployees') return envelope;
  const companyInfo = readPart({ ...reading, name: 'company_info', schema: companyInfoSchema });
  const pagination = readPart({ ...reading, name: 'pagination', schema: paginationSchema });
  return { ...envelope, ...(companyInfo && { companyInfo }), ...(pagination && { pagination }) };
}

function readPart<Part>(options: Reading & { readonly name: string; readonly schema: Schema<Part> }) {
  const { body, name, schema, onDrift } = options;
  const part = readLeniently({ schema, value: body[name], onDrift: (field) => onDrift(`${name}.${field}`) });
  if (part === undefined) onDrift(name);
  return part;
}
