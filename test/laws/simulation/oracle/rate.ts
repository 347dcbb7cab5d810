import type { Evidence } from './evidence.ts';

const MINUTE_MS = 60_000;
/** Most answers whose workers may have crashed. */
const LOST_ANSWERS = 4;

/**
 * With an unshared key, a vendor with a sliding window never has to refuse us, once the first answers have shown the
 * limit.
 */
export function rateFaults(evidence: Evidence): string[] {
  const { agreed, bill } = evidence;
  const { rateAlgorithm, rateLimitPerMinute: limit } = agreed;
  const answers = bill.requests.flatMap(({ answeredAtMs, fault }) =>
    fault === 'status' ? [] : (answeredAtMs ?? []),
  );
  const heardAtMs = answers.sort((a, b) => a - b)[LOST_ANSWERS] ?? Number.POSITIVE_INFINITY;
  // Without any fault, the first request shows it.
  const toldAtMs = agreed.isUndisturbed ? 0 : heardAtMs;
  const refused = bill.requests.filter(
    ({ atMs, status, fault }) => status === 429 && fault === undefined && atMs > toldAtMs,
  );
  const problems = refused.map(({ atMs }) => `the vendor refused a request for our rate at ${iso(atMs)}`);
  problems.push(...askedWhileShut(evidence));
  // Windows with a fixed start, and token buckets, allow more at once.
  if (rateAlgorithm !== 'sliding') return problems;
  const times = bill.requests.map(({ atMs }) => atMs);
  const over = times.filter((atMs, index) => {
    const earlier = times[index - limit];
    return earlier !== undefined && atMs < earlier + MINUTE_MS && atMs > toldAtMs;
  });
  return [
    ...problems,
    ...over.map((atMs) => `more than ${limit} requests in the minute before ${iso(atMs)}`),
  ];
}

/** Time until an answer is received and all workers know it. */
const HEARD_MS = 5_000;
/** Tolerance for clocks that differ a little. */
const APART_MS = 6_000;

/** If every refusal is received, no request is sent before the time that it names. */
function askedWhileShut({ agreed, refusals, bill }: Evidence): string[] {
  if (!agreed.isUnstruck) return [];
  return refusals.flatMap(({ fromMs, toMs }) => {
    const early = bill.requests.find(
      ({ atMs }) => atMs > fromMs + HEARD_MS && atMs < Math.min(toMs, fromMs + MINUTE_MS) - APART_MS,
    );
    return early
      ? [`a request was sent ${early.atMs - fromMs} ms after one had been refused for the rate`]
      : [];
  });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
