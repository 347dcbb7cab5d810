import { budgetStates } from '#inside/credit-ledger/budgets.ts';
import { memberKind } from '#inside/enrichment/backfill/stored-kinds.ts';
import { archivedPolicyKind } from '#inside/enrichment/policy-change/stored-kinds.ts';
import { readBookedDoubts } from '#inside/questions/booked-doubts.ts';
import {
  breakersKind,
  disclosureKind,
  sideItemKind,
  suppressionKind,
} from '#inside/questions/stored-kinds.ts';
import { rateLimiterStateSchema } from '#inside/rate-limiter/schemas.ts';
import { companyClaimKind, dayKind, journalKind, pinnedPortalKind } from '#inside/records/stored-kinds.ts';
import { previewKind, reviewKind } from '#inside/review/stored-kinds.ts';
import { spendMonthKind } from '#inside/spend/stored-kinds.ts';
import type { StoredKind } from '#inside/store/kind.ts';
import {
  createLedgerStore,
  type LedgerEntry,
  type LedgerStore,
  ledgerEntrySchema,
} from '#shared/credit-ledger';
import { backfillKind, requestKind } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { homeKind } from '#shared/home';
import { questionKind } from '#shared/questions';
import { rateLimiterKind } from '#shared/rate-limiter';
import { lostRuns, type RecordState, recordKind, recordPlace, runCounts, statusKind } from '#shared/records';
import { type IndexedItems, type IndexPosition, openItems, type Store } from '#shared/store';
import { openMemoryStore } from './memory-items.ts';
import type { StoreTrouble } from './store-trouble.ts';

export type Stores = ReturnType<typeof createStores>;

const OTHER_QUESTIONS = 'other questions';

export async function everyQuestion({ questions }: Pick<Stores, 'questions'>) {
  const { doubts } = await readBookedDoubts(questions);
  const booked = [...new Set(doubts.map(({ questionKey }) => questionKey))];
  const read = await Promise.all(booked.map((key) => questions.read(key)));
  const others = await questions.list({ partition: OTHER_QUESTIONS });
  return [...read.flatMap((item) => item?.value ?? []), ...others];
}

/** The same stores, with an index that lags. */
export function lagging({ records, journal, status, ...others }: Stores, { lag }: StoreTrouble): Stores {
  return {
    ...others,
    records: lag(records, recordPlace),
    journal: lag(journal, journalKind.place),
    status: lag(status, statusKind.place),
  };
}

/** The same stores, with faults. */
export function failing(stores: Stores, { guard }: StoreTrouble): Stores {
  return new Proxy(stores, { get: (whole, name) => guard(Reflect.get(whole, name), name) });
}

/**
 * Creates the stores that all workers share. Every write passes through the stored form, and is checked against the
 * invariants of its kind.
 */
export function createStores(
  policy: Policy,
  onViolation: (what: string) => void,
  store: Store = openMemoryStore(),
) {
  const items = <V>(kind: AnyKind<V>, options: Options<V> = {}) => {
    const { parse = kind.schema.parse, place = kind.place, check } = options;
    const opened = openItems<V>({ store, account: 'default' }, { ...kind, place });
    return watched<V>(opened as unknown as IndexedItems<V, string, string>, parse, check);
  };
  return {
    records: items(recordKind, {
      check: (state) => {
        const broken = brokenLawOf(state);
        if (broken) onViolation(`${state.objectType} ${state.id}: ${broken}`);
      },
    }),
    journal: items(journalKind),
    reviews: items(reviewKind),
    questions: items(questionKind, {
      // In a table, a scan finds the other questions.
      place: (item) => questionKind.place(item) ?? { partition: OTHER_QUESTIONS, order: 0 },
    }),
    sideItems: items(sideItemKind),
    suppression: items(suppressionKind),
    disclosures: items(disclosureKind),
    // Reads may return damaged data; writes may not contain any.
    rateLimiter: items(rateLimiterKind, { parse: (stored) => rateLimiterStateSchema.parse(stored) }),
    breakers: items(breakersKind),
    backfills: items(backfillKind),
    members: items(memberKind),
    requests: items(requestKind),
    policies: items(archivedPolicyKind),
    companyClaims: items(companyClaimKind),
    portal: items(pinnedPortalKind),
    homes: items(homeKind),
    previews: items(previewKind),
    days: items(dayKind),
    spendMonths: items(spendMonthKind),
    status: items(statusKind),
    ledger: watchedLedger(createLedgerStore(store), { policy, onViolation }),
  };
}

type AnyKind<V> = Omit<StoredKind<V>, 'key' | 'partition'>;

interface Options<V> {
  readonly place?: (value: V) => IndexPosition | undefined;
  readonly check?: (value: V) => void;
  /** Parses items before they are written. */
  readonly parse?: (stored: unknown) => V;
}

function watched<V>(
  items: IndexedItems<V, string, string>,
  parse: (stored: unknown) => V,
  check: (value: V) => void = () => undefined,
): IndexedItems<V, string, string> {
  return {
    ...items,
    write: async (change) => {
      const value = parse(JSON.parse(JSON.stringify(change.value)));
      const result = await items.write({ ...change, value });
      if (result !== 'conflict') check(value);
      return result;
    },
  };
}

/** Checks at every step that opened = outcomes + waiting + running. A worker holds a run, or the run waits. */
function brokenLawOf(state: RecordState): string | undefined {
  const counts = runCounts(state);
  if (lostRuns(counts) !== 0) return `runs are lost: ${JSON.stringify(counts)}`;
  return !state.run && (state.claim || state.waiting) ? 'held or waiting without a run' : undefined;
}

/**
 * Checks that pending, posted and doubtful credits stay within every budget, after every entry except a charge proved
 * late.
 */
function watchedLedger(
  store: LedgerStore,
  { policy, onViolation }: { policy: Policy; onViolation: (what: string) => void },
): LedgerStore {
  const { budgets, timeZone } = policy;
  return {
    ...store,
    append: async (entry) => {
      const stored: LedgerEntry = ledgerEntrySchema.parse(JSON.parse(JSON.stringify(entry)));
      const result = await store.append(stored);
      if (result === 'taken' || entry.kind === 'late') return result;
      const states = budgetStates({ totals: stored.totals, budgets, nowMs: entry.atMs, timeZone });
      for (const { budget, leftCredits } of states)
        if (leftCredits < 0) onViolation(`budget ${budget} is overdrawn by ${-leftCredits}`);
      return result;
    },
  };
}
