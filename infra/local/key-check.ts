import type { App } from '#shared/app';
import { systemIds as newId } from '#shared/kernel/adapters';

export type WorkspaceAnswer =
  /** `owner` is the key's workspace. */
  | { readonly kind: 'accepted'; readonly owner: Readonly<Record<string, unknown>> }
  /** The rate limit is used up. The next slot is expected at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface KeyAsking {
  readonly services: Pick<App, 'questions' | 'vendor'>;
  /** Longest wait for a rate-limit slot. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the data service for the key's workspace. The request is free, but it takes a rate-limit slot like any other
 * request.
 * @throws DataServiceError if the key is not accepted, or the service did not answer.
 */
export async function askForKey({ services, waitMs, signal }: KeyAsking): Promise<WorkspaceAnswer> {
  const { clock, policy, rateLimiter, breakers } = services.questions;
  const { requestTimeoutMs: timeoutMs } = policy;
  const id = `key-check:${newId()}`;
  const notAfterMs = clock.now() + waitMs;
  const slot = await rateLimiter.acquire({
    id,
    lane: 'live',
    requestTimeoutMs: timeoutMs,
    notAfterMs,
    signal,
  });
  if (slot.kind === 'later') return slot;
  const { owner = {}, error, report, limited, retryAfterMs } = await services.vendor.checkKey({ timeoutMs });
  await rateLimiter.complete({ id, report, limited, retryAfterMs });
  if (error) throw error;
  await breakers.acceptKey();
  return { kind: 'accepted', owner };
}
