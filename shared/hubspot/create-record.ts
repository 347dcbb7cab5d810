import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import { UpstreamError } from '#shared/kernel';
import { toBatchError } from './batch-errors.ts';
import { readAnswer, requestIdOf } from './failures.ts';
import type { BatchReader } from './read-batch.ts';
import { BatchAnswerSchema } from './schemas.ts';
import type { CreateRequest, HubSpotObject } from './types.ts';

/** Makes one attempt without retries. If an answer is lost, HubSpot may have created the record. */
export async function createRecord(
  { exchange, configuration }: BatchReader,
  { objectType, properties, ...limits }: CreateRequest,
): Promise<HubSpotObject> {
  const generated = await new BatchApiRequestFactory(configuration).create(objectType, {
    inputs: [{ properties: { ...properties }, associations: [] }],
  });
  const response = await exchange(generated, { ...limits, once: true });
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
