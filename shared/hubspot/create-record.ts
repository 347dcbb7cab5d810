import { UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { toBatchError } from './batch-errors.ts';
import { readAnswer, requestIdOf } from './failures.ts';
import { BatchAnswerSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type { CreateRequest, HubSpotObject } from './types.ts';

/** Makes one attempt without retries. If an answer is lost, HubSpot may have created the record. */
export async function createRecord(
  exchange: Exchange,
  { objectType, properties, ...limits }: CreateRequest,
): Promise<HubSpotObject> {
  const path = `/crm/objects/${API_VERSION}/${objectType}/batch/create`;
  const body = { inputs: [{ properties, associations: [] }] };
  const response = await exchange({ method: 'POST', path, body }, { ...limits, once: true });
  const { results, errors, unreadable } = readAnswer(response, BatchAnswerSchema);
  const [created] = results;
  if (created) return created;
  const [error] = errors.map((each) => toBatchError(each, requestIdOf(response, each)));
  throw new UpstreamError({
    code: error && unreadable === 0 ? 'HUBSPOT_INVALID_REQUEST' : 'HUBSPOT_UNREADABLE_ANSWER',
    message: `HubSpot created no record: ${error?.reason ?? 'the answer gives no reason'}.`,
    retryable: error?.retryable ?? true,
    status: response.status,
    requestId: error?.correlationId,
  });
}
