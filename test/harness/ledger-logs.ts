import { CHAIN_START, hashOf } from '#inside/credit-ledger/verify.ts';
import { type LedgerEntry, verifyLog } from '#shared/credit-ledger';
import { createDigest } from '#shared/kernel/adapters';

export const digest = createDigest('a secret for the tests');

type Judging = Partial<Parameters<typeof verifyLog>[1]>;
type Log = readonly LedgerEntry[] | AsyncIterable<LedgerEntry>;

/** Verifies the entries of a log, read one after the other. */
export const verify = (log: Log, by: Judging = {}) => verifyLog(oneByOne(log), { digest, ...by });

async function* oneByOne(log: Log) {
  yield* log;
}

/** The log with all hashes made anew, to hide what was changed. */
export function resealed(log: readonly LedgerEntry[]): LedgerEntry[] {
  let previousHash = CHAIN_START;
  return log.map(({ hash: _, ...rest }) => {
    const unhashed = { ...rest, previousHash };
    previousHash = hashOf(unhashed, digest);
    return { ...unhashed, hash: previousHash };
  });
}
