import type { Evidence } from './evidence.ts';

const MINUTE_MS = 60_000;
/** So many answers may have found their askers dead. */
const LOST_ANSWERS = 4;

/**
 * With the key to ourselves the vendor never has to refuse us, and a vendor that counts back from now never could: from
 * the first answers on, which tell what the limit is.
 */
export function rateFaults(evidence: Evidence): string[] {
  const { agreed, bill } = evidence;
  const { rateAlgorithm, rateLimitPerMinute: limit } = agreed;
  const answers = bill.requests.flatMap(({ answeredAtMs, fault }) =>
    fault === 'status' ? [] : (answeredAtMs ?? []),
  );
  const heardAtMs = answers.sort((a, b) => a - b)[LOST_ANSWERS] ?? Number.POSITIVE_INFINITY;
  // Where nothing befalls anybody, the first request tells it alone.
  const toldAtMs = agreed.isUndisturbed ? 0 : heardAtMs;
  const refused = bill.requests.filter(
    ({ atMs, status, fault }) => status === 429 && fault === undefined && atMs > toldAtMs,
  );
  const problems = refused.map(({ atMs }) => `the vendor refused a request for our rate at ${iso(atMs)}`);
  problems.push(...askedWhileShut(evidence));
  // Windows that begin anew, and buckets that fill up again, allow more at once.
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

/** Until an answer is heard and told to all. */
const HEARD_MS = 5_000;
/** Clocks that are a little apart. */
const APART_MS = 6_000;

/** Where every refusal is heard, nothing is sent until the time that it names. */
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
