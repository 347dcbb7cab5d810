import { SECOND_MS } from '../../../../shared/kernel/index.ts';
import { ConnectionReset } from '../../connection-reset.ts';
import type { Portal } from '../portal.ts';
import type { Failure } from './api-error.ts';
import type { Fault } from './fault.ts';
import { tooMany } from './rate-limits.ts';
import type { Call, Reply } from './route.ts';

export interface FaultTarget {
  readonly portal: Portal;
  readonly method: string;
  readonly path: string;
  readonly bodyText: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** The answer of a `status` fault, or the fault's effect after the work. */
export interface FaultEffect {
  readonly reply?: Reply;
  readonly resetAfterWork?: boolean;
}

/**
 * Applies the first matching fault before the work.
 * @throws ConnectionReset for `reset-before`, or the client's abort reason for `hang`.
 */
export async function applyFault(request: FaultTarget): Promise<FaultEffect> {
  const fault = takeFault(request.portal, (one) => fitsRequest(one, request));
  switch (fault?.kind) {
    case 'status':
      return { reply: faultReply(fault) };
    case 'reset-before':
      throw new ConnectionReset(false);
    case 'reset-after':
      return { resetAfterWork: true };
    case 'slow':
      await request.portal.clock.sleep(fault.delayMs ?? 10 * SECOND_MS, request.signal);
      return {};
    case 'hang':
      return hang(request.signal);
    default:
      return {};
  }
}

/** Failure of this record of a batch, if a fault matches it. */
export function recordFailure({ portal, method, path }: Call, id: string): Failure | undefined {
  const fits = (one: Fault) =>
    one.kind === 'status' && one.recordId === id && fitsPlace(one, { method, path }) && !isInPath(path, id);
  const fault = takeFault(portal, fits);
  if (!fault) return undefined;
  const status = fault.status ?? 500;
  return {
    status,
    category: categoryOf(status),
    message: 'The record could not be processed.',
    context: { ids: [id] },
  };
}

function takeFault(portal: Portal, fits: (fault: Fault) => boolean): Fault | undefined {
  const { faultHits, settings } = portal.state;
  const index = settings.faults.findIndex(
    (fault, at) =>
      fits(fault) &&
      (faultHits[at] ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY) &&
      portal.random() < fault.rate,
  );
  if (index < 0) return undefined;
  while (faultHits.length <= index) faultHits.push(0);
  faultHits[index] = (faultHits[index] ?? 0) + 1;
  return settings.faults[index];
}

function fitsRequest(fault: Fault, request: FaultTarget): boolean {
  if (!fitsPlace(fault, request)) return false;
  if (fault.recordId === undefined) return true;
  if (isInPath(request.path, fault.recordId)) return true;
  return fault.kind !== 'status' && request.bodyText.includes(`"${fault.recordId}"`);
}

function isInPath(path: string, id: string): boolean {
  return path.split('/').includes(id);
}

function fitsPlace(fault: Fault, { method, path }: { method: string; path: string }): boolean {
  return (fault.method ?? method) === method && path.includes(fault.path ?? '');
}

function faultReply(fault: Fault): Reply {
  const status = fault.status ?? 500;
  const headers = fault.retryAfterS === undefined ? {} : { 'Retry-After': String(fault.retryAfterS) };
  if (fault.bare) return { status, headers };
  if (status === 429) return { ...tooMany(fault.policyName ?? 'TEN_SECONDLY_ROLLING'), headers };
  const body = {
    status: 'error',
    category: categoryOf(status),
    message: `The request failed with ${status}.`,
  };
  return { status, headers, body };
}

function categoryOf(status: number): string {
  const known: Record<number, string> = {
    400: 'VALIDATION_ERROR',
    401: 'INVALID_AUTHENTICATION',
    403: 'MISSING_SCOPES',
    404: 'OBJECT_NOT_FOUND',
    409: 'CONFLICT',
    423: 'LOCKED',
    429: 'RATE_LIMITS',
    477: 'MIGRATION_IN_PROGRESS',
  };
  return known[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'VALIDATION_ERROR');
}

/** Never answers. Rejects when the client aborts. */
function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
