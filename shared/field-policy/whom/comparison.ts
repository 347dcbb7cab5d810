import { foldText, hostOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { PropertyCondition } from './schemas.ts';

/** Whether a non-blank value meets the condition. */
export function holds(condition: PropertyCondition, value: string, nowMs: number): boolean {
  const { is, in: among, not, above, below, before, domain } = condition;
  if (is !== undefined) return isOneOf(value, [is]);
  if (among !== undefined) return isOneOf(value, among);
  if (not !== undefined) return !isOneOf(value, [not].flat());
  if (above !== undefined) return Number(value) > above;
  if (below !== undefined) return Number(value) < below;
  if (before !== undefined) return timeIn(value) <= nowMs - before * DAY_MS;
  if (domain !== undefined) return liesInOne(value, domain);
  return condition.filled === true;
}

/**
 * Compares without case and spaces at the ends. HubSpot joins several options by semicolons. One of the options must
 * fit.
 */
function isOneOf(value: string, wanted: readonly string[]): boolean {
  const values = new Set([value, ...value.split(';')].map(foldText));
  return wanted.some((each) => values.has(foldText(each)));
}

/** Parses HubSpot's dates: ISO 8601 or epoch milliseconds. `NaN` for other texts, so that no comparison fits. */
function timeIn(value: string): number {
  return /^\d{10,}$/.test(value) ? Number(value) : Date.parse(value);
}

/**
 * Whether the domain of an address or a website is in the list or below one of its entries. An entry can be an ending
 * that cannot be registered, such as `.edu` or `ac.uk`. A website with an @ in its path is not an address.
 */
function liesInOne(value: string, domains: readonly string[]): boolean {
  const host = hostOf(value);
  if (host === undefined) return false;
  return domains.some((domain) => {
    const listed = domain.replace(/^\./, '').toLowerCase();
    const wanted = hostOf(listed) ?? listed;
    return host === wanted || host.endsWith(`.${wanted}`);
  });
}
