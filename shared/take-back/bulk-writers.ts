import { counted } from '#shared/kernel';

/** Something that writes many records under one id. An undo can name it, stop it, and take back what it wrote. */
export interface BulkWriter {
  /** The option of `undo` that names one. */
  readonly option: 'backfill' | 'apply';
  /** Name for the start of a sentence, such as `Backfill`. */
  readonly noun: string;
  readonly find: (id: string) => Promise<FoundWriter | undefined>;
  /** Returns the id of one whose records a policy apply may not take over now. Absent if there is never one. */
  readonly unfinished?: () => Promise<string | undefined>;
  /** Stops one for good. Returns the requests that may still be charged, if it buys anything. */
  readonly stop: (id: string) => Promise<InFlight | undefined>;
}

interface FoundWriter {
  /** Nothing was written before this time, epoch milliseconds. */
  readonly startMs: number;
  /** Whether it can still write a record. */
  readonly isWriting: boolean;
}

/** Requests in flight that may still be charged. */
export interface InFlight {
  readonly requests: number;
  readonly maxCredits: number;
}

export function inFlightWords({ requests, maxCredits }: InFlight): string {
  if (requests === 0) return 'No request is in flight: nothing more will be charged.';
  const have = requests === 1 ? '1 request is in flight: it' : `${requests} requests are in flight: they`;
  return `${have} may still cost at most ${counted(maxCredits, 'credit')}. Nothing else will be charged.`;
}
