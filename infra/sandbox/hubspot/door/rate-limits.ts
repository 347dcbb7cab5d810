import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../shared/kernel/index.ts';
import type { Portal } from '../portal.ts';
import type { Reply, Route } from './route.ts';

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
  portal.state.daily = { day: dayIn(portal, portal.clock.now()), count: used + 1 };
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
export function tooMany(policyName: string | undefined): Omit<Reply, 'headers'> {
  const message = `You have reached your ${policyName?.toLowerCase() ?? 'request'} limit.`;
  const body = { status: 'error', message, errorType: 'RATE_LIMIT', ...(policyName && { policyName }) };
  return { status: 429, body };
}

/** Usage since midnight in the account's time zone. `resetsAt` is the next midnight, epoch milliseconds. */
export function dailyUsage(portal: Portal): { limit: number; used: number; resetsAt: number } {
  const now = portal.clock.now();
  const { day, count } = portal.state.daily;
  return {
    limit: portal.state.settings.rateLimits.daily,
    used: day === dayIn(portal, now) ? count : 0,
    resetsAt: nextMidnight(portal, now),
  };
}

function recentRequests(portal: Portal, bucket: Bucket): number[] {
  const since = portal.clock.now() - POLICIES[bucket].windowMs;
  return (portal.state.windows[bucket] ?? []).filter((time) => time > since);
}

/** Day such as `2026-11-21`. */
function dayIn(portal: Portal, time: number): string {
  return dayFormat(portal.state.settings.timeZone).format(time);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, known);
  return known;
}

const midnights = new Map<string, number>();

/** Finds the first quarter hour of the next day. In every time zone, midnight falls on a quarter hour. */
function nextMidnight(portal: Portal, now: number): number {
  const quarter = HOUR_MS / 4;
  const today = dayIn(portal, now);
  const name = `${portal.state.settings.timeZone} ${today}`;
  let time = midnights.get(name) ?? Math.floor(now / quarter) * quarter;
  while (dayIn(portal, time) === today && time < now + 2 * DAY_MS) time += quarter;
  midnights.set(name, time);
  return time;
}
