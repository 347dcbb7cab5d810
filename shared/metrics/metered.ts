import type { Appended, CreditLedger } from '#shared/credit-ledger';
import type { EnrichmentObserver } from '#shared/enrichment';
import type { Clock } from '#shared/kernel';
import type { AskGateway } from '#shared/questions';
import { lostRuns, type RecordItems, runCounts } from '#shared/records';
import type { CallResult, VendorClient } from '#shared/vendor';
import { type Measurement, type Metrics, measure } from './metrics.ts';

/** Wraps the gateway, and counts the answers that needed no request. */
export function meterGateway(
  gateway: AskGateway,
  { metrics, clock }: { metrics: Metrics; clock: Pick<Clock, 'now'> },
): AskGateway {
  return {
    ...gateway,
    ask: async (request) => {
      const startedAtMs = clock.now();
      const result = await gateway.ask(request);
      const isAnswer = result.kind === 'found' || result.kind === 'no-match';
      const { operation } = request.question;
      if (isAnswer && result.credits === 0 && result.askedAtMs < startedAtMs)
        metrics.emit([{ metric: 'cacheHits', value: 1, dimensions: { operation } }]);
      return result;
    },
  };
}

/** Wraps the ledger, and counts the credits that it books as charged, even if they are booked late. */
export function meterLedger(ledger: CreditLedger, metrics: Metrics): CreditLedger {
  return {
    ...ledger,
    apply: async (...given) => {
      const appended = await ledger.apply(...given);
      metrics.emit(chargeMetrics(appended));
      return appended;
    },
  };
}

function chargeMetrics(appended: Appended): Measurement[] {
  if (appended.kind !== 'appended') return [];
  const { kind, amountCredits, operation = 'unknown', purpose = 'unknown' } = appended.entry;
  if (kind !== 'posted' && kind !== 'late') return [];
  return [{ metric: 'creditsSpent', value: amountCredits, dimensions: { operation, purpose } }];
}

/** Wraps the vendor, and counts requests and the used share of its rate. */
export function meterVendor(vendor: Pick<VendorClient, 'ask'>, metrics: Metrics): Pick<VendorClient, 'ask'> {
  return {
    ask: async (question, limits) => {
      const result = await vendor.ask(question, limits);
      metrics.emit(callMetrics(result));
      return result;
    },
  };
}

function callMetrics(result: CallResult): Measurement[] {
  if (result.kind === 'invalid' || result.kind === 'not-sent') return [];
  const report = result.kind === 'unknown' ? undefined : result.report;
  return [
    measure('vendorRequests', 1),
    ...(report && report.limit > 0
      ? [measure('vendorRateUsed', (1 - report.remaining / report.limit) * 100)]
      : []),
  ];
}

/**
 * Wraps the record items, and checks the run counts of each state that is written. So every change is checked without a
 * scan.
 */
export function meterRecords(items: RecordItems, metrics: Metrics): RecordItems {
  return {
    ...items,
    write: async (change) => {
      const written = await items.write(change);
      const difference = lostRuns(runCounts(change.value));
      if (written !== 'conflict' && difference !== 0)
        metrics.emit([measure('checksFailed', Math.abs(difference))]);
      return written;
    },
  };
}

/** Counts runs as they end. */
export function outcomeObserver(metrics: Metrics): EnrichmentObserver {
  return {
    ended: ({ runOutcome }) => {
      if (runOutcome.kind !== 'outcome') return;
      const { outcome } = runOutcome;
      metrics.emit([{ metric: 'outcomes', value: 1, dimensions: { outcome } }]);
    },
    repeated: () => undefined,
  };
}
