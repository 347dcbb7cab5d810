import { laneOf, PURPOSES, type Purpose, type RecordName } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import type { Clock } from '#shared/kernel';
import {
  admitted,
  changeRecord,
  queuePlace,
  type RecordItems,
  type RecordState,
  recordKind,
} from '#shared/records';
import { agreedCredits } from '../ask/price-limit.ts';
import { worstCaseOfRefresh } from '../ask/worst-case.ts';

/** Purposes that the reserve for leads holds back. */
export const HELD_BACK: readonly Purpose[] = PURPOSES.filter((purpose) => laneOf(purpose) === 'bulk');

interface WaitingServices {
  readonly records: RecordItems;
  readonly policy: Policy;
}

export interface WaitingRecords {
  readonly records: readonly RecordState[];
  /** Highest price of all records together. */
  readonly maxCredits: number;
}

/** Finds queued records, newest first. With `maxCredits`, finds only as many as these credits can pay for. */
export async function findWaiting(
  { records, policy }: WaitingServices,
  wish: { readonly purposes: readonly Purpose[]; readonly limit: number; readonly maxCredits?: number },
): Promise<WaitingRecords> {
  const { purposes, limit, maxCredits = Number.POSITIVE_INFINITY } = wish;
  const found: RecordState[] = [];
  let credits = 0;
  for (const purpose of purposes) {
    if (found.length >= limit) break;
    const partition = recordKind.partition(queuePlace(purpose));
    for (const state of await records.list({ partition, limit: limit - found.length, newestFirst: true })) {
      const price = highestPrice(state, policy);
      if (credits + price > maxCredits) return { records: found, maxCredits: credits };
      found.push(state);
      credits += price;
    }
  }
  return { records: found, maxCredits: credits };
}

/**
 * Starts queued records in spite of the reserve for leads.
 * @returns the number of records that were still queued.
 */
export async function startRecords(
  services: WaitingServices & { readonly clock: Clock },
  waiting: readonly RecordName[],
): Promise<number> {
  let count = 0;
  for (const record of waiting) {
    const { state } = await changeRecord(services, record, (state) => ({
      state: admitted(state, services.clock.now()),
    }));
    if (state) count += 1;
  }
  return count;
}

/** Returns the highest price of one record: the policy's price, or a lower one that a person agreed to. */
function highestPrice(state: RecordState, policy: Policy): number {
  const { objectType, run } = state;
  const agreed = run ? agreedCredits(run) : Number.POSITIVE_INFINITY;
  return Math.min(worstCaseOfRefresh({ objectType }, policy), agreed);
}
