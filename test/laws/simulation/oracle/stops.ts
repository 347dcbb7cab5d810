import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';
import { type Paid, paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECOND_MS = 1_000;
const IN_A_ROW = 3;
/** Most answers whose workers may have crashed. */
const LOST_ANSWERS = 4;
/** Credits of probes in an hour: the product's default. Each probe costs at least a credit. */
const PROBES_PER_HOUR = 10;
/** Time from the knowledge of the third lost request to the first probe. */
const FIRST_PROBE_MS = 2 * MINUTE_MS;
/** A probe may wait for a rate-limit slot, so that the next one follows sooner. */
const PROBE_SLACK_MS = MINUTE_MS;
/** Time until all workers know the end of a request. A worker that waited for the rate may not have looked again. */
const KNOWN_MS = 66 * SECOND_MS;
/** The same without faults of workers, stores, clocks and connections. */
const KNOWN_STRAIGHT_MS = 5 * SECOND_MS;
/** Delay of a worker that pauses. */
const STANDING_STILL_MS = 4 * MINUTE_MS;
/** Time until a broken connection, and until a request without an answer, is noticed. */
const BROKEN_MS = 4 * SECOND_MS;
const GIVEN_UP_MS = 31 * SECOND_MS;

/** Spending stops when requests stay unanswered, and no doubt arises without a cause. */
export function stopFaults(evidence: Evidence): string[] {
  return [...lostInARow(evidence), ...askedWhileRefused(evidence), ...needlessDoubts(evidence)];
}

/**
 * Three lost requests in a row open the breaker for doubts. Then only probes are sent. The first follows a pause, and
 * each later one waits until the probe budget covers the price of the one before.
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

/** Requests whose loss is known when this one is sent, and after which no answer arrived: the earliest first. */
function lostBefore({ atMs }: Paid, earlier: readonly Paid[]): Paid[] {
  const heard = earlier.filter((one) => heardAtMs(one) <= atMs).sort((a, b) => heardAtMs(a) - heardAtMs(b));
  return heard.slice(heard.findLastIndex((one) => !isLost(one)) + 1);
}

/** Shortest pause after a probe: its charge is at most its price. */
function pauseMs({ credits }: Paid): number {
  return (Math.max(1, credits) / PROBES_PER_HOUR) * HOUR_MS;
}

/** A miss is recognised by its status and the vendor's headers, whatever its body. */
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

/** No question is sent between a received 401 and the next accepted request. */
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

/** Without faults of vendor and workers, and with few store failures, every end is known. */
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
