import type { HttpResponse } from '#shared/http/http-request.ts';
import { parseJson } from '#shared/kernel/json.ts';
import { malformedAnswer } from './failures.ts';
import { readLeniently, type Schema } from './lenient.ts';
import type { Operation } from './operation.ts';
import { isAbsent, isObject } from './parameter-rules.ts';
import { readRate } from './rate-headers.ts';
import { companyInfoSchema, envelopeSchema, paginationSchema } from './schemas.ts';
import type { Answer, OperationData, OperationName } from './types.ts';

/**
 * Reads a response whose status is a success.
 * @throws DataServiceError `DATA_SERVICE_MALFORMED_ANSWER` when there is no `data` of the operation's kind
 */
export function readAnswer<Name extends OperationName>(
  operation: Operation<Name>,
  response: HttpResponse,
): Answer<OperationData[Name]> {
  const malformed = (sentence: string) => malformedAnswer({ operation: operation.name, response, sentence });
  const body = parseJson(response.body);
  if (body === undefined) throw malformed('The answer of the data service is not JSON.');
  if (!isObject(body)) throw malformed('The answer of the data service is not a JSON object.');
  if (isAbsent(body['data'])) throw malformed('The answer of the data service lacks data.');
  const drift = new Set<string>();
  const read = operation.readData(body['data'], (field) => drift.add(field));
  if (!read) throw malformed('The data of the answer is not what the operation answers with.');
  const envelope = readEnvelope({ body, operation, response, onDrift: (field) => drift.add(field) });
  const requestId = response.headers['x-request-id'];
  return {
    ...read,
    ...envelope,
    rate: readRate(response),
    ...(requestId !== undefined && { requestId }),
    drift: [...drift],
  };
}

interface Reading {
  readonly body: Readonly<Record<string, unknown>>;
  readonly operation: { readonly name: OperationName; readonly successStatus: number };
  readonly response: HttpResponse;
  readonly onDrift: (field: string) => void;
}

/** What surrounds `data`. Deviations are drift and no failure: the records are there, and paid for. */
function readEnvelope(reading: Reading) {
  const { body, operation, response, onDrift } = reading;
  const onEnvelopeDrift = (field: string) => onDrift(`envelope.${field}`);
  const { statusCode, message } =
    readLeniently({ schema: envelopeSchema, value: body, onDrift: onEnvelopeDrift }) ?? {};
  const isExpected = statusCode === operation.successStatus && statusCode === response.status;
  if (!isExpected) onEnvelopeDrift('statusCode');
  if (message === undefined) onEnvelopeDrift('message');
  const surroundings = { statusCode: statusCode ?? response.status, message: message ?? '' };
  if (operation.name !== 'searchEmployees') return surroundings;
  const companyInfo = readPart({ ...reading, name: 'company_info', schema: companyInfoSchema });
  const pagination = readPart({ ...reading, name: 'pagination', schema: paginationSchema });
  return { ...surroundings, ...(companyInfo && { companyInfo }), ...(pagination && { pagination }) };
}

function readPart<Part>(options: Reading & { readonly name: string; readonly schema: Schema<Part> }) {
  const { body, name, schema, onDrift } = options;
  const part = readLeniently({ schema, value: body[name], onDrift: (field) => onDrift(`${name}.${field}`) });
  if (part === undefined) onDrift(name);
  return part;
}
