import type { Evidence } from './evidence.ts';

const MINUTE_MS = 60_000;

/**
 * With the key to ourselves the vendor never has to refuse us, and a vendor that counts back from now never could: from
 * the first answer on, which tells what the limit is.
 */
export function rateFaults({ agreed, bill }: Evidence): string[] {
  const { rateAlgorithm, rateLimitPerMinute: limit } = agreed;
  const answers = bill.requests.flatMap(({ answeredAtMs, fault }) =>
    fault === 'status' ? [] : (answeredAtMs ?? []),
  );
  const toldAtMs = Math.min(...answers);
  const refused = bill.requests.filter(
    ({ atMs, status, fault }) => status === 429 && fault === undefined && atMs > toldAtMs,
  );
  const problems = refused.map(({ atMs }) => `the vendor refused a request for our rate at ${iso(atMs)}`);
  // Of windows that begin anew a whole allowance may be used at once.
  if (rateAlgorithm === 'fixed') return problems;
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

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
