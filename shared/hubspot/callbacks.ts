import { inChunks } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import type { Address } from './plain-request.ts';
import { plainRequest } from './plain-request.ts';
import type { Exchange } from './transport.ts';
import type { ActionCallback } from './types.ts';

/** The limit of HubSpot's other batches. HubSpot publishes no limit for "Complete a batch of callbacks". */
const MAX_CALLBACKS = 100;

/**
 * Reports the results of executions in a workflow action to HubSpot. Safe to repeat, because HubSpot ignores an
 * execution that has ended.
 * @throws UpstreamError `HUBSPOT_*` or `HTTP_*`. Batches before the failed one are reported.
 */
export async function completeCallbacks(
  { exchange, address }: { readonly exchange: Exchange; readonly address: Address },
  callbacks: readonly ActionCallback[],
): Promise<void> {
  const path = `/automation/actions/callbacks/${API_VERSION}/complete`;
  for (const chunk of inChunks(callbacks, MAX_CALLBACKS)) {
    const inputs = chunk.map(({ callbackId, outputs }) => ({ callbackId, outputFields: outputs }));
    await exchange(plainRequest(address, { method: 'POST', path, body: { inputs } }));
  }
}
