import { type BooksSettings, createDynamoBooks } from '#shared/credit-ledger/adapters';
import { type Metrics, meterLedger } from '#shared/metrics';

/** @param settings.metrics if absent, no metrics are emitted. */
export function createBooks(settings: BooksSettings & { readonly metrics?: Metrics }) {
  const { metrics } = settings;
  const { ledgerStore, ledger } = createDynamoBooks(settings);
  return { ledgerStore, ledger: metrics ? meterLedger(ledger, metrics) : ledger };
}
