import { counted } from '#shared/kernel';
import { readStops, readTimedWaits, type Stop, stopsOf } from '#shared/spend';
import { type Check, fail, ok } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Stops that other checks report. */
const REPORTED_ELSEWHERE: ReadonlySet<Stop['kind']> = new Set(['ledger-broken', 'hubspot-unavailable']);
/** Stops whose cause, if it still exists, is reported by the key check of this command. */
const CAUSED_BY_KEY: ReadonlySet<Stop['kind']> = new Set(['key-refused', 'wrong-address']);

/**
 * Reports each stop of purchases as a failed check. A stop can concern all records or one object type. The spend page
 * has the same list.
 */
export async function stopsChecks(
  site: Site,
  { isKeyRefused }: { readonly isKeyRefused: boolean },
): Promise<readonly Check[]> {
  const { services } = site;
  const found: Check[] = [];
  const checked = await runCheck('stops', 'see the stores', async () => {
    const facts = await readStops(services);
    const waiting = { inTurn: [], timed: await readTimedWaits(services.records, undefined) };
    const nowMs = services.questions.clock.now();
    for (const stop of stopsOf({ facts, waiting, nowMs, stack: site.stack?.name }))
      if (!REPORTED_ELSEWHERE.has(stop.kind) && !(isKeyRefused && CAUSED_BY_KEY.has(stop.kind)))
        found.push(fail(`stop ${stop.kind}`, seenOf(stop), adviceOf(site, stop)));
    return ok('stops', 'nothing is stopped');
  });
  return found.length > 0 ? found : [checked];
}

function seenOf({ what, sinceMs, records = 0, isMore }: Stop): string {
  const since = sinceMs === undefined ? [] : [`since ${new Date(sinceMs).toISOString()}`];
  const waiting = records > 0 ? [`${counted(records, 'record')}${isMore ? ' or more' : ''} waiting`] : [];
  const times = [...since, ...waiting].join(', ');
  return `${what.replace(/\.$/, '')}${times === '' ? '' : ` (${times})`}`;
}

function adviceOf(site: Site, { kind, setting, whatToDo }: Stop): string {
  if (kind === 'stopped-by-person')
    return `when the reason is gone, run: ${commandFor(site, 'spend resume')}`;
  return `${setting ? `${setting}: ` : ''}${whatToDo.replace(/\.$/, '')}`;
}
