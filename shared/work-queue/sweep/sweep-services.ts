import type { Crm, Lane } from '#shared/crm';
import type { Clock, NewId, Random } from '#shared/kernel';
import type { Breakers, SweptQuestions } from '#shared/questions';
import type { RecordItems, RecordState, StatusItems } from '#shared/records';
import type { CountedQueue } from '../queue.ts';

/** Services that queue waiting records. */
export interface SweepServices {
  readonly records: RecordItems;
  readonly questions: Pick<SweptQuestions, 'items' | 'ledger'>;
  /** Holds the lease and the counter that all sweeps share. */
  readonly status: StatusItems;
  readonly queues: Readonly<Record<Lane, CountedQueue>>;
  /** Requests a minute that the vendor allows. */
  readonly ratePerMinute: () => Promise<number>;
  /** Price of the policy's cheapest question. */
  readonly cheapestCredits: number;
  /** Highest possible price of one record's questions under the policy. */
  readonly dearestCredits: number;
  /** The breakers, which can be read without the data service's key. */
  readonly breakers: Pick<Breakers, 'read'>;
  readonly crm: Pick<Crm, 'pausedUntil'>;
  readonly rounds: {
    /** Reads the next part of the waiting records. @returns the picked records. */
    readonly waiting: (isPicked: (state: RecordState) => boolean) => Promise<readonly RecordState[]>;
  };
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
}
