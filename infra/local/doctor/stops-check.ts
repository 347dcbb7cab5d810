import { readReport, type Stop } from '#shared/spend';
import { type Check, checkOf } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck, withoutPeriod } from './run-check.ts';
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
  site: Site,
  { isKeyRefused }: { readonly isKeyRefused: boolean },
): Promise<readonly Check[]> {
  const { services, policy, stack } = site;
  const found: Check[] = [];
  const checked = await runCheck('stops', 'stores-fail', async () => {
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
    for (const stop of stops.filter((each) => !isElsewhere(each))) found.push(stopCheck(site, stop));
    return checkOf('stops', stops.some(isElsewhere) ? 'stops-reported-elsewhere' : 'nothing-stopped', {});
  });
  return found.length > 0 ? found : [checked];
}

function stopCheck(site: Pick<Site, 'stack'>, stop: Stop): Check {
  const { kind, what, sinceMs, records = 0, isMore = false, setting, whatToDo } = stop;
  const name = `stop ${kind}`;
  const params = {
    ...{ stop: kind, records, isMore, what: withoutPeriod(what) },
    whatToDo: `${setting ? `${setting}: ` : ''}${withoutPeriod(whatToDo)}`,
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
  };
  if (kind === 'stopped-by-person')
    return checkOf(name, 'stopped-by-person', { ...params, command: commandFor(site, 'spend resume') });
  return checkOf(name, BY_BUDGET.has(kind) ? 'stopped-by-budget' : 'stopped', params);
}
