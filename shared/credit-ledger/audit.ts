import type { Clock } from '#shared/kernel/clock.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { VersionedItems } from '#shared/versioned-items/store.ts';
import { hashOf } from './chain.ts';
import type { AuditCursor, LedgerEntry } from './schemas.ts';
import { type LedgerStore, readLog } from './store.ts';
import { type LogProblem, type VerifyRules, verifyLog } from './verify.ts';

export interface BooksAuditServices extends Pick<VerifyRules, 'digest'> {
  readonly store: LedgerStore;
  readonly account: string;
  /** How far the audits have come. */
  readonly cursors: VersionedItems<AuditCursor>;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface BooksAudit {
  /** How many entries were read for the first time. */
  readonly entries: number;
  readonly problems: readonly LogProblem[];
}

/** An audit reads at most so many entries; the next one goes on from there. */
export const AUDITED_AT_ONCE = 2_000;

/**
 * Verifies what was appended since the last audit, and that the entry at which that one ended is still what it was. Past
 * an entry that does not hold no audit goes: each one finds it again, until the log is mended.
 */
export function createBooksAudit(services: BooksAuditServices): () => Promise<BooksAudit> {
  const { cursors, account, clock } = services;
  const item = { key: `ledger-audit#${account}`, kind: "place of the ledger's audit", clock };
  return async () => {
    const { audit } = await change(cursors, item, async (cursor) => {
      const { last, ...audit } = await auditFrom(services, cursor);
      const isFurther = last !== undefined && audit.entries > 0 && audit.problems.length === 0;
      return { audit, value: isFurther ? { seq: last.seq, hash: last.hash } : undefined };
    });
    return audit;
  };
}

async function auditFrom(services: BooksAuditServices, cursor: AuditCursor | undefined) {
  const { store, account, digest } = services;
  const log = readLog(store, account, (cursor?.seq ?? 0) + 1);
  let after: LedgerEntry | undefined;
  if (cursor) {
    [after] = await store.entries({ account, fromSeq: cursor.seq, limit: 1 });
    if (!after || after.seq !== cursor.seq || hashOf(after, digest) !== cursor.hash)
      return {
        entries: 0,
        problems: [{ seq: cursor.seq, problem: 'It held before and was changed since.' }],
      };
  }
  let last: LedgerEntry | undefined;
  const noted = async function* () {
    for await (const entry of log) {
      last = entry;
      yield entry;
      if (entry.seq >= (cursor?.seq ?? 0) + AUDITED_AT_ONCE) return;
    }
  };
  const { entries, problems } = await verifyLog(noted(), { digest, after });
  return { entries, problems, last };
}
