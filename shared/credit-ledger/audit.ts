import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import { hashOf } from './chain.ts';
import type { AuditCursor, AuditedEntry, LedgerEntry } from './schemas.ts';
import { type LedgerStore, LOG_PAGE, readLog } from './store.ts';
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

/** New entries that one audit reads at most; the next audit continues there. */
export const AUDITED_AT_ONCE = 2_000;
/** Old entries that one audit reads at most: with a sweep each minute, a million entries take two weeks. */
export const AUDITED_AGAIN_AT_ONCE = 50;

interface Part {
  /** The entry before the first one; absent for the log's beginning. */
  readonly after: AuditedEntry | undefined;
  /** No entry after this one is read. */
  readonly upTo: number;
  /** Entries in one read. */
  readonly page: number;
}

/**
 * Verifies three things: the new entries since the last audit, that the last audited entry is unchanged, and a few old
 * entries, in passes from the first one on. An invalid entry stops the audit there. Each audit reports it again until the
 * log is repaired.
 */
export function createBooksAudit(services: BooksAuditServices): () => Promise<BooksAudit> {
  const { cursors, account, clock } = services;
  const item = { key: `ledger-audit#${account}`, kind: "place of the ledger's audit", clock };
  return async () => {
    const { audit } = await change(cursors, item, async (cursor) => {
      const fresh = await auditNew(services, cursor);
      if (fresh.problems.length > 0) return { audit: fresh, value: undefined };
      const { problems, last: again } = await auditOld(services, cursor);
      const { seq, hash } = fresh.last ?? cursor ?? {};
      const isFurther = seq !== cursor?.seq || again?.seq !== cursor?.again?.seq;
      const next = seq !== undefined && hash !== undefined && { seq, hash, ...(again && { again }) };
      return { audit: { entries: fresh.entries, problems }, value: next && isFurther ? next : undefined };
    });
    return audit;
  };
}

function auditNew(services: BooksAuditServices, cursor: AuditCursor | undefined) {
  const upTo = (cursor?.seq ?? 0) + AUDITED_AT_ONCE;
  return auditPart(services, { after: cursor, upTo, page: LOG_PAGE });
}

/** @returns as `last` the start of the next part; undefined once the pass has reached the newest audited entry. */
async function auditOld(services: BooksAuditServices, cursor: AuditCursor | undefined) {
  if (!cursor) return { problems: [] };
  const after = cursor.again;
  const upTo = Math.min(cursor.seq, (after?.seq ?? 0) + AUDITED_AGAIN_AT_ONCE);
  const { problems, last = after } = await auditPart(services, { after, upTo, page: AUDITED_AGAIN_AT_ONCE });
  return { problems, last: problems.length === 0 && upTo === cursor.seq ? undefined : last };
}

/** @returns as `last` the last valid entry; undefined if there was no entry, or one is invalid. */
async function auditPart(
  { store, account, digest }: BooksAuditServices,
  { after, upTo, page }: Part,
): Promise<BooksAudit & { readonly last?: AuditedEntry | undefined }> {
  const seq = after?.seq ?? 0;
  const [before] = after ? await store.entries({ account, fromSeq: seq, limit: 1 }) : [];
  if (after && (!before || before.seq !== seq || hashOf(before, digest) !== after.hash))
    return { entries: 0, problems: [{ seq, problem: 'It held before and was changed since.' }] };
  let last: LedgerEntry | undefined;
  const noted = async function* () {
    for await (const entry of readLog(store, account, seq + 1, page)) {
      if (entry.seq > upTo) return;
      last = entry;
      yield entry;
      if (entry.seq === upTo) return;
    }
  };
  const { entries, problems } = await verifyLog(noted(), { digest, after: before });
  return { entries, problems, ...(last && problems.length === 0 && { last }) };
}
