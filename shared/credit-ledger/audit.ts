import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import { canonical, hashOf } from './chain.ts';
import type { AuditCursor, AuditedEntry, LedgerEntry, LedgerFault } from './schemas.ts';
import { type LedgerStore, LOG_PAGE, readLog } from './store.ts';
import { auditCursorKind } from './stored-kinds.ts';
import { type LogProblem, type VerifyRules, verifyLog } from './verify.ts';

export interface BooksAuditServices extends Pick<VerifyRules, 'digest'> {
  readonly store: LedgerStore;
  readonly account: string;
  /** Position of the audits in the log. */
  readonly cursors: VersionedItems<AuditCursor>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export interface BooksAudit {
  /** Number of entries that were read for the first time. */
  readonly entries: number;
  readonly problems: readonly LogProblem[];
}

/** Maximum number of new entries in one audit. The next audit continues after them. */
export const AUDITED_AT_ONCE = 2_000;
/** Maximum number of old entries in one audit. With a sweep each minute, a million entries take two weeks. */
export const AUDITED_AGAIN_AT_ONCE = 50;

interface Part {
  /** The entry before the part; absent at the log's beginning. */
  readonly after: AuditedEntry | undefined;
  /** Number of the last entry to read. */
  readonly upTo: number;
  /** Number of entries in one read. */
  readonly page: number;
}

/**
 * Verifies the entries since the last audit, the last audited entry, and a few old entries. Successive audits verify
 * successive old entries. An audit stops at an invalid entry. Each audit reports this entry again until the log is
 * repaired, and the cursor stores it for all readers.
 */
export function createBooksAudit(services: BooksAuditServices): () => Promise<BooksAudit> {
  const { cursors, clock } = services;
  const item = { key: auditCursorKind.key(), kind: "place of the ledger's audit", clock };
  return async () => {
    const { audit } = await change(cursors, item, async (cursor) => {
      const { next, ...audit } = await auditOnce(services, cursor);
      const fault = faultIn(audit.problems, cursor?.fault?.sinceMs ?? clock.now());
      const value = { ...next, ...(fault && { fault }) };
      const isNew = canonical(value) !== canonical(cursor ?? {});
      return { audit, value: isNew ? value : undefined };
    });
    return audit;
  };
}

/** @returns the invalid entry of the last audit; `undefined` while the log is valid. */
export async function readLedgerFault({
  cursors,
}: Pick<BooksAuditServices, 'cursors'>): Promise<LedgerFault | undefined> {
  return (await cursors.read(auditCursorKind.key()))?.value.fault;
}

/**
 * Checks the log at a person's request: the last audit's fault, the entries since that audit, and the newest entries.
 * Writes nothing. Older entries are left to the audits.
 * @returns the number of entries read, and whether they are the whole log.
 */
export function createBooksCheck(
  services: BooksAuditServices,
): () => Promise<BooksAudit & { readonly isWhole: boolean }> {
  const { store, account, cursors } = services;
  return async () => {
    const cursor = (await cursors.read(auditCursorKind.key()))?.value;
    const fresh = await auditNew(services, cursor);
    const newest = await store.newest(account);
    const fromSeq = Math.max(0, (newest?.seq ?? 0) - AUDITED_AT_ONCE);
    const [after] = fromSeq > 0 ? await store.entries({ account, fromSeq, limit: 1 }) : [];
    const part = await auditPart(services, { after, upTo: fromSeq + AUDITED_AT_ONCE, page: LOG_PAGE });
    const all = [...(cursor?.fault ? [cursor.fault] : []), ...fresh.problems, ...part.problems];
    const problems = [
      ...new Map(all.map(({ seq, problem }) => [`${seq} ${problem}`, { seq, problem }])).values(),
    ];
    return { entries: part.entries, problems, isWhole: fromSeq === 0 };
  };
}

function faultIn([first]: readonly LogProblem[], sinceMs: number): LedgerFault | undefined {
  return first && { ...first, sinceMs };
}

/** @returns `next`, the position of the next audit. */
async function auditOnce(
  services: BooksAuditServices,
  cursor: AuditCursor | undefined,
): Promise<BooksAudit & { readonly next: AuditCursor }> {
  const { fault: _, ...position } = cursor ?? {};
  const { entries, problems, last } = await auditNew(services, cursor);
  if (problems.length > 0) return { entries, problems, next: position };
  const old = await auditOld(services, cursor);
  const { seq, hash } = last ?? position;
  const next = { ...(seq !== undefined && { seq, hash }), ...(old.last && { again: old.last }) };
  return { entries, problems: old.problems, next };
}

/** Returns the last valid entry, if there is one. */
function auditedIn({ seq, hash }: AuditCursor = {}): AuditedEntry | undefined {
  return seq === undefined || hash === undefined ? undefined : { seq, hash };
}

function auditNew(services: BooksAuditServices, cursor: AuditCursor | undefined) {
  const after = auditedIn(cursor);
  return auditPart(services, { after, upTo: (after?.seq ?? 0) + AUDITED_AT_ONCE, page: LOG_PAGE });
}

/**
 * Verifies a few old entries.
 * @returns `last`, after which the next part starts; `undefined` if all old entries are verified. The next audit then
 * starts at the first entry.
 */
async function auditOld(services: BooksAuditServices, cursor: AuditCursor | undefined) {
  const audited = auditedIn(cursor);
  if (!audited) return { problems: [] };
  const after = cursor?.again;
  const upTo = Math.min(audited.seq, (after?.seq ?? 0) + AUDITED_AGAIN_AT_ONCE);
  const { problems, last = after } = await auditPart(services, { after, upTo, page: AUDITED_AGAIN_AT_ONCE });
  return { problems, last: problems.length === 0 && upTo === audited.seq ? undefined : last };
}

/**
 * Verifies one part of the log.
 * @returns `last`, the last valid entry; `undefined` if the part has no entry or an invalid one.
 */
async function auditPart(
  { store, account, digest }: BooksAuditServices,
  { after, upTo, page }: Part,
): Promise<BooksAudit & { readonly last?: AuditedEntry | undefined }> {
  const seq = after?.seq ?? 0;
  const [before] = after ? await store.entries({ account, fromSeq: seq, limit: 1 }) : [];
  if (after && (!before || before.seq !== seq || hashOf(before, digest) !== after.hash))
    return { entries: 0, problems: [{ seq, problem: 'It was valid before and was changed since.' }] };
  let last: LedgerEntry | undefined;
  const partOfLog = async function* () {
    for await (const entry of readLog(store, account, seq + 1, page)) {
      if (entry.seq > upTo) return;
      last = entry;
      yield entry;
      if (entry.seq === upTo) return;
    }
  };
  const { entries, problems } = await verifyLog(partOfLog(), { digest, after: before });
  return { entries, problems, ...(last && problems.length === 0 && { last }) };
}
