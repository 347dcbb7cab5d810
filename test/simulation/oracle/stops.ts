import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';
import { type Paid, paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECOND_MS = 1_000;
const IN_A_ROW = 3;
/** So many answers may have found their askers dead. */
const LOST_ANSWERS = 4;
/** Probes may cost ten credits an hour: the product's default. Each costs a credit at least. */
const PROBES_PER_HOUR = 10;
/** The first probe comes this long after the third lost request is known. */
const FIRST_PROBE_MS = 2 * MINUTE_MS;
/** A probe may wait for its turn in the rate, so that the next one follows sooner. */
const PROBE_SLACK_MS = MINUTE_MS;
/** How much later than it is heard everybody knows an end: who waited for the rate may not have looked again. */
const KNOWN_MS = 66 * SECOND_MS;
/** The same where workers, stores, clocks and lines are as they should be. */
const KNOWN_STRAIGHT_MS = 5 * SECOND_MS;
/** Who stands still then sends so much later. */
const STANDING_STILL_MS = 4 * MINUTE_MS;
/** Of a connection that breaks; of a request that nobody answers. */
const BROKEN_MS = 4 * SECOND_MS;
const GIVEN_UP_MS = 31 * SECOND_MS;

/** When nothing comes of asking, it stops; and nothing becomes a doubt for which there is no reason. */
export function stopFaults(evidence: Evidence): string[] {
  return [...lostInARow(evidence), ...askedWhileRefused(evidence), ...needlessDoubts(evidence)];
}

/**
 * Three lost requests in a row open the breaker for doubts. Then only probes are sent: the first after a pause, and each
 * later one when the price of the one before fits into what probes may cost.
 */
function lostInARow({ bill, agreed }: Evidence): string[] {
  const asked = paidRequests(bill.requests);
  const knownMs = knownAfterMs(agreed);
  return asked.flatMap((request, index) => {
    const before = asked[index - 1];
    const row = lostBefore(request, asked.slice(0, index));
    const third = row[IN_A_ROW - 1];
    if (!before || !third || heardAtMs(third) + knownMs >= request.atMs) return [];
    const isAfterProbe = heardAtMs(third) + knownMs < before.atMs;
    const sinceMs = request.atMs - before.atMs;
    const isEarly = isAfterProbe
      ? sinceMs < pauseMs(before) - PROBE_SLACK_MS
      : request.atMs - heardAtMs(third) < FIRST_PROBE_MS;
    return isEarly
      ? [`${row.length} requests in a row were lost, and one was sent ${sinceMs} ms after the last`]
      : [];
  });
}

/** Requests whose loss is known when this one is sent, and after which no answer was heard: the earliest first. */
function lostBefore({ atMs }: Paid, earlier: readonly Paid[]): Paid[] {
  const heard = earlier.filter((one) => heardAtMs(one) <= atMs).sort((a, b) => heardAtMs(a) - heardAtMs(b));
  return heard.slice(heard.findLastIndex((one) => !isLost(one)) + 1);
}

/** At least this long nothing follows a probe: what it was charged is at most its price. */
function pauseMs({ credits }: Paid): number {
  return (Math.max(1, credits) / PROBES_PER_HOUR) * HOUR_MS;
}

/** A miss is heard by its status and the vendor's headers, whatever its body. */
function isLost({ end, status }: Paid): boolean {
  return end === 'unknown' && status !== 404;
}

function heardAtMs({ atMs, answeredAtMs, fault = '' }: Paid): number {
  return answeredAtMs ?? atMs + (fault.startsWith('reset') ? BROKEN_MS : GIVEN_UP_MS);
}

function knownAfterMs({ isStraight, isUnstruck }: Evidence['agreed']): number {
  if (isStraight) return KNOWN_STRAIGHT_MS;
  return KNOWN_MS + (isUnstruck ? 0 : STANDING_STILL_MS);
}

/** Between a 401 that was heard and whatever is accepted after it no question is asked. */
function askedWhileRefused({ bill, agreed }: Evidence): string[] {
  let refusals = 0;
  let refusedAtMs: number | undefined;
  const paid = new Set(paidRequests(bill.requests).map(({ atMs, path }) => `${atMs} ${path}`));
  return bill.requests.flatMap(({ atMs, path, status, answeredAtMs }) => {
    const since = refusedAtMs;
    if (status === 401) {
      refusals += 1;
      if (agreed.isStraight || refusals > LOST_ANSWERS) refusedAtMs ??= answeredAtMs ?? atMs;
    } else if (status !== undefined && status < 500) [refusals, refusedAtMs] = [0, undefined];
    const isKnown = since !== undefined && atMs > since + knownAfterMs(agreed);
    return isKnown && paid.has(`${atMs} ${path}`)
      ? [`a question was asked ${atMs - since} ms after the key had been refused`]
      : [];
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
