import type { HistoryEntry, StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';

/** A request is sent, and a value written, at most a minute after the read, plus HubSpot's own time. */
const READ_MS = 70_000;
const PROPERTY = 'lifecyclestage';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Contacts of the excluded stage are neither paid for nor written. */
export function whomFaults(evidence: Evidence): string[] {
  const { barredStage } = evidence.agreed;
  if (barredStage === undefined) return [];
  return Object.values(evidence.hubSpot.records['0-1']).flatMap((contact) => {
    const barred = barredIn(contact.history[PROPERTY] ?? [], barredStage);
    const isForGood = contact.history[PROPERTY]?.length === 1 && barred.length === 1;
    // With wrong clocks or paused workers, only a stage that never changed is a proof.
    const isLeftOut = ({ fromMs, toMs }: Span) =>
      evidence.agreed.isStraight
        ? barred.some((span) => span.fromMs <= fromMs - READ_MS && span.toMs > toMs)
        : isForGood;
    const charges = chargesOf(evidence, contact).filter(isLeftOut).length;
    const writes = writesTo(evidence, contact).filter(isLeftOut).length;
    return [
      ...(charges > 0 ? [`contact ${contact.id} was paid for although no rule admits it`] : []),
      ...(writes > 0 ? [`contact ${contact.id} was written although no rule admits it`] : []),
    ];
  });
}

/** Times when the contact had the excluded stage. */
function barredIn(entries: readonly HistoryEntry[], stage: string): readonly Span[] {
  const inOrder = entries.toSorted((a, b) => a.timestamp - b.timestamp);
  return inOrder.flatMap(({ value, timestamp: fromMs }, index) => {
    const toMs = inOrder[index + 1]?.timestamp ?? Number.POSITIVE_INFINITY;
    return value === stage ? [{ fromMs, toMs }] : [];
  });
}

/** Spans from the reservation to the booking. The contact is read in between. */
function chargesOf({ told }: Evidence, { id }: StoredRecord): Span[] {
  const rows = readCsv(told.ledger);
  const mine = rows.filter(({ kind, record }) => kind === 'pending' && record === `contacts#${id}`);
  return mine.flatMap(({ reservationId, time = '' }) => {
    const all = rows.filter((row) => row['reservationId'] === reservationId);
    if (all.some(({ kind }) => kind === 'voided')) return [];
    const toMs = Math.max(...all.map((row) => Date.parse(row['time'] ?? '')));
    return [{ fromMs: Date.parse(time), toMs }];
  });
}

/** Times of our writes. Undone and corrected values are left out, because people may do both at any time. */
function writesTo({ agreed, undone }: Evidence, { id, history }: StoredRecord): Span[] {
  if (agreed.hasLateWrites || undone.some((one) => one.id === id)) return [];
  return Object.entries(history).flatMap(([property, entries]) =>
    entries
      .filter(({ value, sourceId }) => value !== '' && sourceId === String(agreed.appId))
      .filter(() => !property.startsWith('enrichment_'))
      .map(({ timestamp }) => ({ fromMs: timestamp, toMs: timestamp })),
  );
}
