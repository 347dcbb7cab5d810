import { inChunks } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import type { Address } from './plain-request.ts';
import { plainRequest } from './plain-request.ts';
import type { Exchange } from './transport.ts';
import type { ActionCallback } from './types.ts';

/** HubSpot publishes no bound for "Complete a batch of callbacks": as many as in its other batches. */
const MAX_CALLBACKS = 100;

/**
 * Tells HubSpot how executions of a workflow's action ended. Safe to repeat: one that is over is passed over.
 * @throws UpstreamError `HUBSPOT_*` or `HTTP_*`; the batches before have been told then.
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
