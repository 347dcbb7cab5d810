import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';
import { paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** So many answers may have found their askers dead. */
const LOST_ANSWERS = 4;
/** One probe each ten minutes. */
const PROBE_MS = 9 * MINUTE_MS;
/** Requests that were under way, and workers that had looked before; who stands still then sends so much later. */
const UNDER_WAY_MS = 70 * SECOND_MS;
const STANDING_STILL_MS = 4 * MINUTE_MS;

/** When nothing comes of asking, it stops; and nothing becomes a doubt for which there is no reason. */
export function stopFaults(evidence: Evidence): string[] {
  return [...lostInARow(evidence), ...askedWhileRefused(evidence), ...needlessDoubts(evidence)];
}

/** After the third, one is a probe: alone in its time. */
function lostInARow({ bill, agreed }: Evidence): string[] {
  const underWayMs = UNDER_WAY_MS + (agreed.isUnstruck ? 0 : STANDING_STILL_MS);
  let row: { readonly atMs: number }[] = [];
  return paidRequests(bill.requests).flatMap((request) => {
    // A miss is heard by its status and the vendor's headers, whatever its body.
    if (request.end !== 'unknown' || request.status === 404) row = [];
    else row.push(request);
    const [third, before] = [row[2], row.at(-2)];
    if (!third || !before || request.atMs <= third.atMs + underWayMs) return [];
    const sinceMs = request.atMs - before.atMs;
    return sinceMs < PROBE_MS ? [`${row.length} requests in a row were lost, ${sinceMs} ms apart`] : [];
  });
}

/** Between a 401 that was heard and whatever is accepted after it no question is asked. */
function askedWhileRefused({ bill }: Evidence): string[] {
  let refusals = 0;
  let refusedAtMs: number | undefined;
  const paid = new Set(paidRequests(bill.requests).map(({ atMs, path }) => `${atMs} ${path}`));
  return bill.requests.flatMap(({ atMs, path, status, answeredAtMs }) => {
    const since = refusedAtMs;
    if (status === 401) {
      refusals += 1;
      if (refusals > LOST_ANSWERS) refusedAtMs ??= answeredAtMs ?? atMs;
    } else if (status !== undefined && status < 500) [refusals, refusedAtMs] = [0, undefined];
    const isAsked = since !== undefined && atMs > since + UNDER_WAY_MS && paid.has(`${atMs} ${path}`);
    return isAsked ? [`a question was asked ${atMs - since} ms after the key had been refused`] : [];
  });
}

/** The vendor answered, no worker died, and the store failed a few times at most: then the end is known. */
function needlessDoubts({ quiet, told }: Evidence): string[] {
  const rows = readCsv(told.ledger);
  const madeAt = (id: string) =>
    rows.find(({ kind, reservationId }) => kind === 'pending' && reservationId === id)?.['time'] ?? '';
  return rows
    .filter(({ kind }) => kind === 'doubtful')
    .filter(({ reservationId = '' }) => {
      const atMs = Date.parse(madeAt(reservationId));
      return quiet.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs - 2 * MINUTE_MS);
    })
    .map(({ operation }) => `${operation} became a doubt although nothing had befallen it`);
}
