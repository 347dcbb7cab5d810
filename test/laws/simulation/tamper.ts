import { hashOf } from '#inside/credit-ledger/chain.ts';
import type { LedgerEntry, LedgerStore } from '#shared/credit-ledger';
import { questionKind } from '#shared/questions';
import { openConsole } from '../../harness/console.ts';
import type { World } from '../../harness/world.ts';
import type { Tampered } from './oracle/evidence.ts';

type Log = readonly LedgerEntry[];
/** A manual change of the log. @param sent number of the last entry with a sent question. */
type Tampering = (log: Log, world: World, sent: number) => Log;

const BY_HAND: Readonly<Record<string, Tampering>> = {
  'an entry was edited': (log) => edit(log, 0, (entry) => ({ ...entry, reason: 'another' })),
  'an entry was edited and its hash made anew': (log, world) =>
    edit(log, log.length - 2, (entry) => seal(world, entry, { reason: 'another' })),
  'the newest balance was made up': (log, world) =>
    edit(log, log.length - 1, (entry) => {
      const { lifetime } = entry.totals;
      return seal(world, entry, { totals: { ...entry.totals, lifetime: { ...lifetime, granted: 999 } } });
    }),
  'the end was cut off': (log, _, sent) => (sent > 0 ? log.slice(0, sent - 1) : log),
  'all was written anew from an entry on under which a question was sent': (log, world, sent) =>
    sent === 0
      ? log
      : rewritten(log, (entry, previousHash) =>
          seal(world, entry, { previousHash, ...(entry.seq === sent && { reason: 'another' }) }),
        ),
  'a grant was booked twice': (log, world) => granted(granted(log, world), world),
};

/** Changes a copy of the log in each way, and records which audits detect it. */
export async function tamper(world: World): Promise<readonly Tampered[]> {
  const log = await world.ledger();
  if (log.length < 3) return [];
  const sent = await lastSent(log, world);
  const found: Tampered[] = [];
  for (const [what, by] of Object.entries(BY_HAND)) {
    const left = by(log, world, sent);
    if (left === log) continue;
    const services = { ...world.services, ledgerStore: asStore(left) };
    const verified = await openConsole({ ...world, services })(...['ledger', 'verify', '--json']);
    found.push({ what, isSeen: JSON.parse(verified ?? '{}').ok === false });
  }
  return found;
}

/** Returns the last entry with a question that is still stored and was sent once; 0 if there is none. */
async function lastSent(log: Log, { items }: World): Promise<number> {
  const posted = new Set(
    log.flatMap(({ kind, reservationId }) => (kind === 'posted' ? [reservationId] : [])),
  );
  const made = log.filter(({ kind }) => kind === 'pending');
  for (const { seq, reservationId, questionKey = '' } of made.toReversed()) {
    const isOnce = made.filter((one) => one.questionKey === questionKey).length === 1;
    if (
      isOnce &&
      posted.has(reservationId) &&
      (await items(questionKind).read(questionKind.key(questionKey)))
    )
      return seq;
  }
  return 0;
}

function rewritten(log: Log, by: (entry: LedgerEntry, previousHash: string) => LedgerEntry): Log {
  let previousHash = log[0]?.previousHash ?? '';
  return log.map((entry) => {
    const written = by(entry, previousHash);
    previousHash = written.hash;
    return written;
  });
}

function granted(log: Log, world: World): Log {
  const last = log.at(-1);
  if (!last) return log;
  const { account, atMs, totals, open, timeZone, hash: previousHash } = last;
  const { lifetime, leads } = totals;
  const made: LedgerEntry = {
    ...{ account, atMs, open, previousHash, timeZone },
    seq: last.seq + 1,
    id: 'a grant',
    kind: 'grant',
    day: leads?.day ?? last.day,
    amountCredits: 5,
    totals: { ...totals, lifetime: { ...lifetime, granted: lifetime.granted + 5 } },
    hash: '',
  };
  return [...log, seal(world, made, {})];
}

function seal({ services }: World, entry: LedgerEntry, change: Partial<LedgerEntry>): LedgerEntry {
  const { hash: _, ...rest } = { ...entry, ...change };
  return { ...rest, hash: hashOf(rest, services.digest) };
}

function edit(log: Log, index: number, by: (entry: LedgerEntry) => LedgerEntry): Log {
  const entry = log[index];
  return entry ? log.with(index, by(entry)) : log;
}

/** A store without appends. */
function asStore(log: Log): LedgerStore {
  return {
    newest: async () => log.at(-1),
    append: async () => ({ kind: 'taken' }),
    entries: async ({ fromSeq, limit }) => log.filter(({ seq }) => seq >= fromSeq).slice(0, limit),
  };
}
