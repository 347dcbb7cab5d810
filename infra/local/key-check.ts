import type { App } from '#shared/app';
import type { Workspace } from '#shared/data-service';
import { systemIds as newId } from '#shared/kernel/adapters';
import { createKeyCheck } from '#shared/questions/adapters';

export type KeyAnswer =
  | { readonly kind: 'accepted'; readonly workspace: Workspace }
  /** The rate limit is used up. The next slot is expected at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface KeyAsking {
  readonly services: Pick<App, 'questions' | 'dataService'>;
  /** Longest wait for a rate-limit slot. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the data service for the key's workspace. The request is free, but it takes a rate-limit slot like any other
 * request.
 * @throws DataServiceError if the key is not accepted, or the service did not answer.
 */
export async function askForKey({ services, waitMs, signal }: KeyAsking): Promise<KeyAnswer> {
  const { clock, policy, rateLimiter, breakers } = services.questions;
  const { requestTimeoutMs } = policy;
  const id = `key-check:${newId()}`;
  const notAfterMs = clock.now() + waitMs;
  const slot = await rateLimiter.acquire({ id, lane: 'live', requestTimeoutMs, notAfterMs, signal });
  if (slot.kind === 'later') return slot;
  const workspace = await askOnce(services, { id, requestTimeoutMs });
  await breakers.acceptKey();
  return { kind: 'accepted', workspace };
}

/**
 * Runs the gateway's key check and returns the workspace. The key check passes the rate headers to the rate limiter.
 */
async function askOnce(
  { dataService, questions: { clock, rateLimiter } }: KeyAsking['services'],
  { id, requestTimeoutMs }: { id: string; requestTimeoutMs: number },
): Promise<Workspace> {
  const workspace = Promise.withResolvers<Workspace>();
  workspace.promise.catch(() => undefined);
  const checkKey: typeof dataService.checkKey = async (options) => {
    const answering = dataService.checkKey(options);
    workspace.resolve(answering.then(({ data }) => data));
    return answering;
  };
  const keyCheck = createKeyCheck({ client: { ...dataService, checkKey }, clock });
  const { kind: _, ...answer } = await keyCheck.check({ timeoutMs: requestTimeoutMs });
  await rateLimiter.complete({ id, ...answer });
  return workspace.promise;
}
