import { CLOCK_TOLERANCE_MS, type Clock, clockOffsetMs, MINUTE_MS } from '#shared/kernel';
import type { VendorSettings } from '../opening.ts';
import { type CallResult, type RateReport, UNUSABLE, type VendorClient } from '../vendor.ts';
import { canonicalRecord, type UnusableField } from './canonical-records.ts';
import { createDataServiceClient } from './client.ts';
import { DataServiceError, FAILURES, type FailureProof, type ServiceRate } from './errors.ts';
import { callOf } from './lookups.ts';

/** Opens the data service. Each failure is classified by what it proves about the charge. */
export function openVendor(settings: VendorSettings): VendorClient {
  const { clock } = settings;
  const client = createDataServiceClient(settings);
  return {
    ask: async (question, { timeoutMs }) => {
      const { operation, params, about } = callOf(question);
      const sentAt = clock.monotonic();
      try {
        const answer = await client.call(operation, params, { timeoutMs });
        const { records, results, companyInfo, pagination } = answer;
        const unusable = new Map<string, string>();
        const domain = params['domain'] ?? params['company_domain'];
        const cleaning = {
          context: { nowMs: clock.now(), askedDomain: typeof domain === 'string' ? domain : undefined },
          onUnusable: ({ field, why }: UnusableField) => unusable.set(field, why),
        };
        const data = records.map((each) => canonicalRecord(each, about, cleaning));
        const record =
          question.by.search === undefined
            ? { ...data[0], ...(unusable.size > 0 && { [UNUSABLE]: Object.fromEntries(unusable) }) }
            : { data, companyInfo, pagination };
        client.reportDrift(
          operation,
          [...unusable].map(([field, why]) => `${field} ${why}`),
        );
        const report = rateReportOf(answer.rate, { clock, sentAt });
        return { kind: 'found', record, results, report, requestId: answer.requestId };
      } catch (error) {
        if (!(error instanceof DataServiceError)) throw error;
        return resultOf(error, rateReportOf(error.rate, { clock, sentAt }));
      }
    },
    // Only an explicit answer of the service counts as a refusal.
    checkKey: async ({ timeoutMs }) => {
      const sentAt = clock.monotonic();
      try {
        const { records, rate } = await client.call('checkKey', {}, { timeoutMs });
        return {
          kind: 'accepted',
          owner: { ...records[0] },
          report: rateReportOf(rate, { clock, sentAt }),
          limited: false,
        };
      } catch (error) {
        if (!(error instanceof DataServiceError)) throw error;
        const kind = error.code === 'DATA_SERVICE_UNAUTHORIZED' ? 'refused' : 'unknown';
        const limited = error.code === 'DATA_SERVICE_RATE_LIMITED';
        const { retryAfterMs } = error;
        return { kind, error, report: rateReportOf(error.rate, { clock, sentAt }), limited, retryAfterMs };
      }
    },
  };
}

function resultOf(error: DataServiceError, report: RateReport | undefined): CallResult {
  const { code: reason, parameter = 'parameter', retryAfterMs } = error;
  const proof: FailureProof = FAILURES[reason].proves;
  switch (proof) {
    case 'no-match':
      return { kind: proof, report };
    case 'invalid':
      return { kind: proof, reason: `The data service does not accept this ${parameter}.` };
    case 'not-sent':
    case 'unknown':
      return { kind: proof, reason };
    case 'rate-limited':
      return { kind: 'declined', why: proof, report, reason, retryAfterMs };
    default:
      return { kind: 'declined', why: proof, report, reason };
  }
}

/**
 * Converts the reset into a duration from now. Uses the vendor's clock if the response has a date, otherwise ours. A
 * report is `dated` only if the two clocks agree and the reset is a time within the next minute. Any other report
 * proves only that the window ends within a minute, and never raises the rate.
 */
export function rateReportOf(
  rate: ServiceRate | undefined,
  { clock, sentAt }: { readonly clock: Pick<Clock, 'now' | 'monotonic'>; readonly sentAt: number },
): RateReport | undefined {
  if (!rate) return undefined;
  const { limit, remaining, resetAtMs, serverDateMs: serverMs, isDelta = false } = rate;
  const receivedAtMs = clock.now();
  const tookMs = clock.monotonic() - sentAt;
  const offsetMs = serverMs === undefined ? 0 : clockOffsetMs({ serverMs, receivedAtMs, tookMs });
  const disagrees = Math.abs(offsetMs) > CLOCK_TOLERANCE_MS;
  const distanceMs = resetAtMs - (serverMs ?? receivedAtMs);
  const resetInMs = disagrees || distanceMs <= 0 ? MINUTE_MS : Math.min(MINUTE_MS, distanceMs);
  const isPlausible = distanceMs > 0 && distanceMs <= MINUTE_MS + CLOCK_TOLERANCE_MS;
  const dated = serverMs !== undefined && !disagrees && isPlausible && !isDelta;
  return { limit, remaining, resetAtMs, resetInMs, dated };
}
