import { continuePass, type PassServices } from './passes.ts';
import { WAITING_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';

const NONE: readonly RecordState[] = [];

/**
 * Reads the next part of the waiting records, from the end of the last part. After the last record, starts again at the
 * first.
 * @param isPicked is called one time for each record of the part, so it can count them.
 * @returns the waiting records that are chosen.
 */
export async function pickWaiting(
  services: PassServices,
  isPicked: (state: RecordState) => boolean,
): Promise<readonly RecordState[]> {
  const pass = await continuePass(services, {
    name: 'resume',
    stored: ({ resume }) => resume,
    places: WAITING_PLACES,
    everyMs: 0,
    empty: NONE,
    add: (picked, state) => (isPicked(state) ? [...picked, state] : picked),
    keep: ({ sum: _, ...resume }) => ({ resume }),
  });
  return pass?.part ?? NONE;
}
