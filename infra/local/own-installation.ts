import type { App } from '#shared/app';
import { installationMark, MARKED_PROPERTY, type MarkSeen, markSeen, withMark } from '#shared/field-policy';
import type { HubSpotClient } from '#shared/hubspot';
import { type Digest, UpstreamError } from '#shared/kernel';
import { systemIds as newId } from '#shared/kernel/adapters';

interface MarkServices {
  readonly hubSpot: Pick<HubSpotClient, 'listProperties' | 'describeProperty'>;
  readonly digest: Pick<Digest, 'keyed'>;
}

export async function readMark(services: MarkServices): Promise<MarkSeen> {
  return markSeen(await description(services), services.digest);
}

/**
 * Writes our mark, so that another installation on this account can see it.
 * @returns the previous owner of the mark; `forbidden` if the token may not change properties.
 */
export async function leaveMark(services: MarkServices): Promise<MarkSeen | 'forbidden'> {
  const found = await description(services);
  const seen = markSeen(found, services.digest);
  if (seen === 'ours' || found === undefined) return seen;
  const { objectType, name } = MARKED_PROPERTY;
  try {
    const marked = withMark(found, installationMark(services.digest));
    await services.hubSpot.describeProperty(objectType, { name, description: marked });
  } catch (error) {
    if (error instanceof UpstreamError && error.code === 'HUBSPOT_FORBIDDEN') return 'forbidden';
    throw error;
  }
  return seen;
}

/** @returns the property's description, or `undefined` if the property does not exist. */
async function description({ hubSpot }: MarkServices): Promise<string | undefined> {
  const listed = await hubSpot.listProperties(MARKED_PROPERTY.objectType);
  const property = listed.find(({ name, archived }) => name === MARKED_PROPERTY.name && !archived);
  return property && (property.description ?? '');
}

type WorkspaceAnswer =
  /** `owner` is the key's workspace. */
  | { readonly kind: 'accepted'; readonly owner: Readonly<Record<string, unknown>> }
  /** The rate limit is used up. The next slot is expected at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface KeyAsking {
  readonly services: Pick<App, 'questions' | 'vendor'>;
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
