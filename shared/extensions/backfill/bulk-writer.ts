import type { LedgerReader } from '#shared/credit-ledger';
import { recordKey } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import type { OpenItems } from '#shared/store';
import type { BulkWriter, InFlight } from '#shared/take-back';
import { moveBackfill } from './move.ts';
import type { Backfill } from './schemas.ts';
import { backfillItems, backfillKind } from './stored-kinds.ts';
import { isActive } from './transitions.ts';

interface WriterServices {
  readonly open: OpenItems;
  readonly ledger: Pick<LedgerReader, 'openReservations'>;
  readonly clock: Clock;
}

/** Backfills as an undo sees them. */
export function backfillWriter(services: WriterServices): BulkWriter {
  const { backfills } = backfillItems(services);
  return {
    option: 'backfill',
    noun: 'Backfill',
    find: async (id) => {
      const backfill = (await backfills.read(backfillKind.key(id)))?.value;
      if (!backfill) return undefined;
      const { startedAtMs, createdAtMs, state, outstanding } = backfill;
      // A stopped backfill cannot write any more if no worker has one of its records.
      const hasEnded = state === 'done' || (state === 'stopped' && outstanding.length === 0);
      return {
        startMs: startedAtMs ?? createdAtMs,
        isWriting: startedAtMs !== undefined && !hasEnded,
      };
    },
    unfinished: async () =>
      (await backfills.list({ partition: backfillKind.partition('backfills') })).find(isActive)?.id,
    stop: async (id) => {
      const moved = await moveBackfill({ ...services, backfills }, id, { kind: 'stop' });
      return moved.kind === 'moved' ? inFlightOf(services, moved.backfill) : undefined;
    },
  };
}

/**
 * Reads the open reservations. Call it after the stop is stored. A worker reserves credits before it checks whether
 * the backfill continues, so every request in flight has a reservation.
 */
export async function inFlightOf(
  { ledger }: Pick<WriterServices, 'ledger'>,
  { scope: { objectType }, outstanding }: Backfill,
): Promise<InFlight> {
  const records = new Set(outstanding.map(({ id }) => recordKey({ objectType, id })));
  const open = (await ledger.openReservations()).filter(
    ({ purpose, state, record = '' }) => purpose === 'backfill' && state === 'pending' && records.has(record),
  );
  return {
    requests: open.length,
    maxCredits: open.reduce((sum, { amountCredits }) => sum + amountCredits, 0),
  };
}
