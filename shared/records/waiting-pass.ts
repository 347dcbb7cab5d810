import type { Clock } from '#shared/kernel';
import type { VersionedItems } from '#shared/store';
import type { RecordItems } from './change-record.ts';
import type { WaitingPass } from './passes/schemas.ts';
import { continuePass } from './passes.ts';
import { WAITING_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { waitingPassKind } from './stored-kinds.ts';

const NONE: readonly RecordState[] = [];

export interface WaitingPassServices {
  readonly records: Pick<RecordItems, 'page'>;
  readonly items: VersionedItems<WaitingPass>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Reads the next part of the waiting records, from the end of the last part. After the last record, starts again at the
 * first.
 * @param isPicked is called one time for each record of the part, so it can count them.
 * @returns the waiting records that are chosen.
 */
export async function pickWaiting(
  services: WaitingPassServices,
  isPicked: (state: RecordState) => boolean,
): Promise<readonly RecordState[]> {
  const pass = await continuePass(services, {
    key: waitingPassKind.key(),
    kind: 'check of waiting records',
    places: WAITING_PLACES,
    everyMs: 0,
    empty: NONE,
    add: (picked, state) => (isPicked(state) ? [...picked, state] : picked),
    keep: ({ sum: _, ...position }): WaitingPass => position,
  });
  return pass?.part ?? NONE;
}
