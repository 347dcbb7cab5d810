import { beforeEach, describe, expect, it } from 'vitest';
import { AUDITED_AGAIN_AT_ONCE, AUDITED_AT_ONCE, createBooksAudit } from '#inside/credit-ledger/audit.ts';
import type { AuditCursor, LedgerEntry } from '#inside/credit-ledger/schemas.ts';
import type { LedgerStore } from '#inside/credit-ledger/store.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import { createManualClock } from '../../../builders/manual-clock.ts';
import { digest, openBooks, reserve, voided } from './books.ts';

type Damage = (entry: LedgerEntry) => LedgerEntry | undefined;

/** A log whose entries somebody may change by hand, and its audit. */
function openAudit() {
  const books = openBooks();
  let damage: Damage = (entry) => entry;
  let reads = 0;
  const store: LedgerStore = {
    ...books.store,
    entries: async (query) => {
      reads += 1;
      return (await books.store.entries(query)).flatMap((entry) => damage(entry) ?? []);
    },
  };
  const cursors = createMemoryItems<AuditCursor>();
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const settings = { account: books.ledger.account, digest, timeZone: 'Europe/Berlin' };
  return {
    audit: createBooksAudit({ ...settings, store, cursors, clock }),
    /** Two entries each. */
    grow: async (pairs: number) => {
      const from = (await books.ledger.newest())?.seq ?? 0;
      for (let i = 0; i < pairs; i += 1) {
        await books.append(reserve(`question:${from + i}`));
        await books.append(voided(`question:${from + i}`));
      }
    },
    damage: (by: Damage) => {
      damage = by;
    },
    reads: () => reads,
  };
}

let opened: ReturnType<typeof openAudit>;
beforeEach(() => {
  opened = openAudit();
});

const HOLDS = { problems: [] };
const edited = (seq: number) => (entry: LedgerEntry) =>
  entry.seq === seq ? { ...entry, amountCredits: entry.amountCredits + 1 } : entry;

describe('the audit of the books', () => {
  it('reads each new entry once, so many at a time, and then one page of old entries', async () => {
    await opened.grow(AUDITED_AT_ONCE / 2 + 5);
    expect(await opened.audit()).toEqual({ entries: AUDITED_AT_ONCE, ...HOLDS });
    expect(await opened.audit()).toEqual({ entries: 10, ...HOLDS });
    const before = opened.reads();
    expect(await opened.audit()).toEqual({ entries: 0, ...HOLDS });
    expect(opened.reads() - before).toBe(4);
    await opened.grow(1);
    expect(await opened.audit()).toEqual({ entries: 2, ...HOLDS });
  });

  it('of an empty log finds nothing', async () => {
    expect(await opened.audit()).toEqual({ entries: 0, ...HOLDS });
  });

  it('stops at an invalid entry, and continues when it was restored', async () => {
    await opened.grow(2);
    await opened.audit();
    await opened.grow(2);
    opened.damage(edited(6));
    for (const _ of ['first', 'second'])
      expect((await opened.audit()).problems.map(({ seq }) => seq)).toContain(6);
    opened.damage((entry) => entry);
    expect(await opened.audit()).toEqual({ entries: 4, ...HOLDS });
  });

  it.each<[string, Damage]>([
    ['edited', edited(4)],
    ['deleted with all after it', (entry) => (entry.seq >= 4 ? undefined : entry)],
    ['made anew with its hash', (entry) => (entry.seq === 4 ? { ...entry, reason: 'x', hash: 'x' } : entry)],
  ])('finds that where it ended an entry was %s', async (_, damage) => {
    await opened.grow(2);
    await opened.audit();
    opened.damage(damage);
    expect(await opened.audit()).toMatchObject({ problems: [{ seq: 4 }] });
  });

  it.each<[string, Damage]>([
    ['edited', edited(3)],
    ['edited in the middle of the log', edited(AUDITED_AGAIN_AT_ONCE + 30)],
    ['deleted', (entry) => (entry.seq === 3 ? undefined : entry)],
    ['the first one and edited', edited(1)],
  ])('finds within a pass that an old entry was %s, and until it is put back', async (_, damage) => {
    await opened.grow(AUDITED_AGAIN_AT_ONCE * 2);
    await opened.audit();
    opened.damage(damage);
    expect(await findsWithin(5)).toBe(true);
    await opened.grow(1);
    expect(await findsWithin(1)).toBe(true);
    opened.damage((entry) => entry);
    expect(await findsWithin(10)).toBe(false);
  });

  it('finds an entry that was changed after a part of the pass had ended at it', async () => {
    await opened.grow(AUDITED_AGAIN_AT_ONCE * 2);
    await opened.audit();
    await opened.audit();
    opened.damage(edited(AUDITED_AGAIN_AT_ONCE));
    expect((await opened.audit()).problems).toMatchObject([{ seq: AUDITED_AGAIN_AT_ONCE }]);
  });
});

async function findsWithin(audits: number): Promise<boolean> {
  for (let nth = 0; nth < audits; nth += 1) if ((await opened.audit()).problems.length > 0) return true;
  return false;
}
