import { toldSchema } from '#inside/alerts/schemas.ts';
import { budgetStates } from '#inside/credit-ledger/budgets.ts';
import { auditCursorSchema, type LedgerEntry, ledgerEntrySchema } from '#inside/credit-ledger/schemas.ts';
import { createDynamoLedgerStore } from '#inside/credit-ledger/store.dynamo.ts';
import { createMemoryLedgerStore } from '#inside/credit-ledger/store.memory.ts';
import type { LedgerStore } from '#inside/credit-ledger/store.ts';
import { memberPlace } from '#inside/enrichment/backfill/members.ts';
import { backfillSchema, memberSchema } from '#inside/enrichment/backfill/schemas.ts';
import { backfillPlace } from '#inside/enrichment/backfill/transitions.ts';
import { policyPlace } from '#inside/enrichment/policy-change/archive.ts';
import { archivedPolicySchema } from '#inside/enrichment/policy-change/schemas.ts';
import { executionPlace, wrongMatchPlace } from '#inside/enrichment/requests/items.ts';
import {
  actionExecutionSchema,
  personRequestSchema,
  wrongMatchSchema,
} from '#inside/enrichment/requests/schemas.ts';
import type { Policy } from '#inside/field-policy/policy.ts';
import { questionPlace, readBookedDoubts } from '#inside/questions/booked-doubts.ts';
import { sideItemExpiry } from '#inside/questions/people/side-items.ts';
import { breakerStateSchema, questionItemSchema, sideItemSchema } from '#inside/questions/schemas.ts';
import { questionExpiry } from '#inside/questions/stored-answers.ts';
import { rateLimiterStateSchema, storedRateLimiterSchema } from '#inside/rate-limiter/schemas.ts';
import { broughtDaySchema } from '#inside/records/brought/schemas.ts';
import { markerPlace } from '#inside/records/index-lag.ts';
import { journalPlace } from '#inside/records/journal-entry.ts';
import { lostRuns, recordPlace, runCounts } from '#inside/records/record-state.ts';
import {
  deletionAuditSchema,
  indexMarkerSchema,
  runAuditSchema,
  waitingCountSchema,
  waitingPassSchema,
} from '#inside/records/rounds/schemas.ts';
import {
  companyClaimSchema,
  type JournalEntry,
  journalEntrySchema,
  pinnedPortalSchema,
  type RecordState,
  recordStateSchema,
  sweepCursorSchema,
  writeBreakerSchema,
} from '#inside/records/schemas.ts';
import { reviewPlace } from '#inside/review/reviews.ts';
import { type Review, reviewSchema } from '#inside/review/schemas.ts';
import { spendHeadSchema, spendMonthSchema } from '#inside/spend/schemas.ts';
import { createDynamoItems, type DynamoItemsOptions } from '#inside/versioned-items/store.dynamo.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import type { IndexedItems, IndexPosition } from '#inside/versioned-items/store.ts';
import type { MemoryDynamo } from '../../infra/local/virtual/memory-dynamo.ts';
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
export function lagging({ records, journal, markers, ...others }: Stores, { lag }: StoreTrouble): Stores {
  return {
    ...others,
    records: lag(records, recordPlace),
    journal: lag(journal, journalPlace),
    markers: lag(markers, markerPlace),
  };
}

/** The same stores, which fail. */
export function failing(stores: Stores, { guard }: StoreTrouble): Stores {
  return new Proxy(stores, { get: (whole, name) => guard(Reflect.get(whole, name), name) });
}

/** What all workers share. Every write goes through the stored form, and is held against the laws of its kind. */
export function createStores(policy: Policy, onViolation: (what: string) => void, dynamo?: MemoryDynamo) {
  let made = 0;
  const items = <V>(parse: (stored: unknown) => V, options: Options<V> = {}) => {
    const base = dynamo
      ? inDynamo(dynamo, { ...options, parse: options.readAs ?? parse, tableName: `${++made}` })
      : undefined;
    return watched(base ?? createMemoryItems<V>(options), parse, options.check);
  };
  return {
    records: items<RecordState>((stored) => recordStateSchema.parse(stored), {
      indexPosition: recordPlace,
      check: (state) => {
        const broken = brokenLawOf(state);
        if (broken) onViolation(`${state.objectType} ${state.id}: ${broken}`);
      },
    }),
    journal: items<JournalEntry>((stored) => journalEntrySchema.parse(stored), {
      indexPosition: journalPlace,
    }),
    reviews: items<Review>((stored) => reviewSchema.parse(stored), { indexPosition: reviewPlace }),
    questions: items((stored) => questionItemSchema.parse(stored), {
      // In a table the others are found by a scan.
      indexPosition: (item) => questionPlace(item) ?? { partition: OTHER_QUESTIONS, order: 0 },
      expiresAtMs: questionExpiry,
    }),
    sideItems: items((stored) => sideItemSchema.parse(stored), { expiresAtMs: sideItemExpiry }),
    rateLimiter: items((stored) => rateLimiterStateSchema.parse(stored), {
      readAs: (stored) => storedRateLimiterSchema.parse(stored),
    }),
    breakers: items((stored) => breakerStateSchema.parse(stored)),
    backfills: items((stored) => backfillSchema.parse(stored), { indexPosition: backfillPlace }),
    members: items((stored) => memberSchema.parse(stored), { indexPosition: memberPlace }),
    requests: items((stored) => personRequestSchema.parse(stored)),
    wrongMatches: items((stored) => wrongMatchSchema.parse(stored), { indexPosition: wrongMatchPlace }),
    executions: items((stored) => actionExecutionSchema.parse(stored), { indexPosition: executionPlace }),
    policies: items((stored) => archivedPolicySchema.parse(stored), { indexPosition: policyPlace }),
    cursors: items((stored) => sweepCursorSchema.parse(stored)),
    runAudits: items((stored) => runAuditSchema.parse(stored)),
    deletionAudits: items((stored) => deletionAuditSchema.parse(stored)),
    waitingCounts: items((stored) => waitingCountSchema.parse(stored)),
    waitingPasses: items((stored) => waitingPassSchema.parse(stored)),
    companyClaims: items((stored) => companyClaimSchema.parse(stored)),
    auditCursors: items((stored) => auditCursorSchema.parse(stored)),
    portal: items((stored) => pinnedPortalSchema.parse(stored)),
    told: items((stored) => toldSchema.parse(stored)),
    brought: items((stored) => broughtDaySchema.parse(stored)),
    writeBreakers: items((stored) => writeBreakerSchema.parse(stored)),
    spendMonths: items((stored) => spendMonthSchema.parse(stored)),
    spendHeads: items((stored) => spendHeadSchema.parse(stored)),
    markers: items((stored) => indexMarkerSchema.parse(stored), { indexPosition: markerPlace }),
    ledger: watchedLedger(
      dynamo
        ? createDynamoLedgerStore({ client: dynamo.client, tableName: 'ledger' })
        : createMemoryLedgerStore(),
      { policy, onViolation },
    ),
  };
}

/** Through the adapter that is used on AWS. */
function inDynamo<V>(
  { client }: MemoryDynamo,
  options: Options<V> & Pick<DynamoItemsOptions<V>, 'parse' | 'tableName'>,
): IndexedItems<V> {
  let writes = 0;
  return createDynamoItems({ ...options, client, newId: () => `write ${++writes}` });
}

interface Options<V> {
  readonly indexPosition?: (value: V) => IndexPosition | undefined;
  readonly expiresAtMs?: (value: V) => number | undefined;
  readonly check?: (value: V) => void;
  /** Where what was written may be damaged since. */
  readonly readAs?: (stored: unknown) => V;
}

function watched<V>(
  items: IndexedItems<V>,
  parse: (stored: unknown) => V,
  check: (value: V) => void = () => undefined,
): IndexedItems<V> {
  return {
    ...items,
    write: async (change) => {
      const value = parse(JSON.parse(JSON.stringify(change.value)));
      const result = await items.write({ ...change, value });
      if (result === 'written') check(value);
      return result;
    },
  };
}

/** Opened = outcomes + waiting + running, at every step; a run is either held by a worker or waits. */
function brokenLawOf(state: RecordState): string | undefined {
  const counts = runCounts(state);
  if (lostRuns(counts) !== 0) return `runs are lost: ${JSON.stringify(counts)}`;
  return !state.run && (state.claim || state.waiting) ? 'held or waiting without a run' : undefined;
}

/** Pending, posted and doubtful credits stay within every budget, after every entry but a proved late charge. */
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
