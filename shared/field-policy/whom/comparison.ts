import { foldText, hostOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { PropertyCondition } from './schemas.ts';

/** Whether a value that is not blank fits the comparison. */
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

/** Case and spaces at the ends do not count. Of several options, which HubSpot joins by semicolons, any may fit. */
function isOneOf(value: string, wanted: readonly string[]): boolean {
  const values = new Set([value, ...value.split(';')].map(foldText));
  return wanted.some((each) => values.has(foldText(each)));
}

/** HubSpot's dates: ISO 8601, or epoch milliseconds. `NaN` for anything else, which no comparison fits. */
export function timeIn(value: string): number {
  return /^\d{10,}$/.test(value) ? Number(value) : Date.parse(value);
}

/**
 * The value is an address or a website: an @ in a website's path is no address. `.edu` and `ac.uk`, which no one can
 * register, fit themselves and every domain below them.
 */
export function liesInOne(value: string, domains: readonly string[]): boolean {
  const own = hostOf(value);
  if (own === undefined) return false;
  return domains.some((domain) => {
    const bare = domain.replace(/^\./, '').toLowerCase();
    const wanted = hostOf(bare) ?? bare;
    return own === wanted || own.endsWith(`.${wanted}`);
  });
}
