import { dayOf, nextDayStart, SECOND_MS } from '../../../shared/kernel/index.ts';
import { ConnectionReset, hang } from '../connection-reset.ts';
import type { Call, Failure, Reply, Route } from './http.ts';
import type { Fault } from './settings.ts';
import type { Portal } from './state.ts';

type Bucket = NonNullable<Route['bucket']>;

const POLICIES = {
  general: { windowMs: 10 * SECOND_MS, limit: 'tenSecondly', policyName: 'TEN_SECONDLY_ROLLING' },
  associations: {
    windowMs: 10 * SECOND_MS,
    limit: 'associationsTenSecondly',
    policyName: 'TEN_SECONDLY_ROLLING',
  },
  search: { windowMs: SECOND_MS, limit: 'searchSecondly', policyName: 'SECONDLY' },
} as const;

/** Counts a request. @returns the refusal if a limit is reached. A refused request does not count. */
export function takeAllowance(portal: Portal, bucket: Bucket): Omit<Reply, 'headers'> | undefined {
  const { limit, policyName } = POLICIES[bucket];
  const { rateLimits } = portal.state.settings;
  const recent = recentRequests(portal, bucket);
  const { used } = dailyUsage(portal);
  if (used >= rateLimits.daily) return limitReached(portal, 'DAILY');
  if (recent.length >= rateLimits[limit]) return limitReached(portal, policyName);
  portal.state.windows[bucket] = [...recent, portal.clock.now()];
  portal.state.daily = { day: dayOf(portal.clock.now(), portal.state.settings.timeZone), count: used + 1 };
  return undefined;
}

/** Headers with the remaining requests, on every answer except searches, unless the settings differ. */
export function rateLimitHeaders(portal: Portal, bucket: Bucket): Record<string, string> {
  const { rateLimits, rateHeaders, searchRateHeaders } = portal.state.settings;
  if (bucket === 'search' ? !searchRateHeaders : !rateHeaders) return {};
  const { windowMs, limit } = POLICIES[bucket];
  const remaining = rateLimits[limit] - recentRequests(portal, bucket).length;
  return {
    'X-HubSpot-RateLimit-Daily': String(rateLimits.daily),
    'X-HubSpot-RateLimit-Daily-Remaining': String(Math.max(0, rateLimits.daily - dailyUsage(portal).used)),
    'X-HubSpot-RateLimit-Interval-Milliseconds': String(windowMs),
    'X-HubSpot-RateLimit-Max': String(rateLimits[limit]),
    'X-HubSpot-RateLimit-Remaining': String(Math.max(0, remaining)),
  };
}

function limitReached(portal: Portal, policyName: string): Omit<Reply, 'headers'> {
  return tooMany(portal.state.settings.refusalsNamePolicy ? policyName : undefined);
}

/** Body of a 429. The correlation id is added later. */
function tooMany(policyName: string | undefined): Omit<Reply, 'headers'> {
  const message = `You have reached your ${policyName?.toLowerCase() ?? 'request'} limit.`;
  const body = { status: 'error', message, errorType: 'RATE_LIMIT', ...(policyName && { policyName }) };
  return { status: 429, body };
}

/** Usage since midnight in the account's time zone. `resetsAt` is the next midnight, epoch milliseconds. */
export function dailyUsage(portal: Portal): { limit: number; used: number; resetsAt: number } {
  const now = portal.clock.now();
  const { daily, settings } = portal.state;
  return {
    limit: settings.rateLimits.daily,
    used: daily.day === dayOf(now, settings.timeZone) ? daily.count : 0,
    resetsAt: nextDayStart(now, settings.timeZone),
  };
}

function recentRequests(portal: Portal, bucket: Bucket): number[] {
  const since = portal.clock.now() - POLICIES[bucket].windowMs;
  return (portal.state.windows[bucket] ?? []).filter((time) => time > since);
}

interface FaultTarget {
  readonly portal: Portal;
  readonly method: string;
  readonly path: string;
  readonly bodyText: string;
  readonly signal: AbortSignal;
}

/** The answer of a `status` fault, or the fault's effect after the work. */
interface FaultEffect {
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
      portal.random() < (fault.rate ?? 1),
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

export function countRequest(
  portal: Portal,
  { method, path, status }: { method: string; path: string; status: number },
): void {
  const known = portal.state.requests.find(
    (one) => one.method === method && one.path === path && one.status === status,
  );
  if (known) known.count += 1;
  else portal.state.requests.push({ method, path, status, count: 1 });
}

/** Report of all requests so far, and of the app's successful writes. */
export function requestReport({ state }: Portal): Record<string, unknown> {
  return {
    requests: state.requests,
    recordWrites: state.writes.records,
    propertyWrites: state.writes.properties,
  };
}
