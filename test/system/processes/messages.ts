import type { AskResult } from '#shared/questions';
import type { StoreAddress } from './open-tables.ts';

/** What a worker process is started with, as JSON on its command line. */
export interface WorkerSettings {
  readonly store: StoreAddress;
  readonly dataServiceUrl: string;
  readonly installationSecret: string;
  readonly budgetPerDay: number;
  readonly requestTimeoutMs: number;
  /** Questions that it asks at the same time. */
  readonly concurrency: number;
  /** How long it waits for an answer that another worker is getting. */
  readonly patienceMs: number;
}

/** From a worker: it is there; how a question ended; it is through. */
export type Report =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'ended';
      readonly index: number;
      readonly outcome: AskResult['kind'];
      readonly reason: string;
      readonly credits: number;
    }
  | { readonly kind: 'done' };
