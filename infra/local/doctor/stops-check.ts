import { counted } from '#shared/kernel';
import { readReport, type Stop } from '#shared/spend';
import { type Check, fail, ok, warn } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Stops that other checks report. */
const REPORTED_ELSEWHERE: ReadonlySet<Stop['kind']> = new Set([
  'ledger-broken',
  'hubspot-unavailable',
  'no-budget',
]);
/** Stops whose cause, if it still exists, is reported by the key check of this command. */
const CAUSED_BY_KEY: ReadonlySet<Stop['kind']> = new Set(['key-refused', 'wrong-address']);
/** Stops that are no fault: the policy asks for them, and they end without a person. */
const BY_BUDGET: ReadonlySet<Stop['kind']> = new Set(['budget-used-up', 'reserved-for-leads']);

/**
 * Reports each stop of purchases as a check, as the spend page lists it. A stop can concern all records or one object
 * type. A stop by a budget is a warning, and any other stop a failure.
 */
export async function stopsChecks(
  { services, policy, stack }: Site,
  { isKeyRefused }: { readonly isKeyRefused: boolean },
): Promise<readonly Check[]> {
  const found: Check[] = [];
  const checked = await runCheck('stops', 'see the stores', async () => {
    const { spendBook, ledger, questions } = services;
    const books = { spendBook, ledger, waiting: services, stops: services };
    const { stops } = await readReport({
      ...books,
      clock: questions.clock,
      timeZone: policy.timeZone,
      stack: stack?.name,
    });
    const isElsewhere = ({ kind }: Stop) =>
      REPORTED_ELSEWHERE.has(kind) || (isKeyRefused && CAUSED_BY_KEY.has(kind));
    for (const stop of stops.filter((each) => !isElsewhere(each))) {
      const verdict = BY_BUDGET.has(stop.kind) ? warn : fail;
      found.push(verdict(`stop ${stop.kind}`, seenOf(stop), adviceOf({ stack }, stop)));
    }
    return ok('stops', stops.some(isElsewhere) ? 'other checks report each stop' : 'nothing is stopped');
  });
  return found.length > 0 ? found : [checked];
}

function seenOf({ what, sinceMs, records = 0, isMore }: Stop): string {
  const since = sinceMs === undefined ? [] : [`since ${new Date(sinceMs).toISOString()}`];
  const waiting = records > 0 ? [`${counted(records, 'record')}${isMore ? ' or more' : ''} waiting`] : [];
  const times = [...since, ...waiting].join(', ');
  return `${what.replace(/\.$/, '')}${times === '' ? '' : ` (${times})`}`;
}

function adviceOf(site: Pick<Site, 'stack'>, { kind, setting, whatToDo }: Stop): string {
  if (kind === 'stopped-by-person')
    return `when the reason is gone, run: ${commandFor(site, 'spend resume')}`;
  return `${setting ? `${setting}: ` : ''}${whatToDo.replace(/\.$/, '')}`;
}
