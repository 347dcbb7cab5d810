import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import type { AskRequest } from '#inside/questions/ask-result.ts';
import { createDisclosures } from '#inside/questions/people/disclosures.ts';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import {
  breakerStateSchema,
  disclosureSchema,
  questionItemSchema,
  type SideItem,
  type SuppressionItem,
  sideItemSchema,
  suppressionItemSchema,
} from '#inside/questions/schemas.ts';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import {
  type Clock,
  correctedClock,
  DAY_MS,
  MINUTE_MS,
  type ReferenceClock,
  SECOND_MS,
  seededRandom,
} from '#shared/kernel';
import { brotliPacking, createDigest } from '#shared/kernel/adapters';
import {
  type AskResult,
  type BreakerState,
  createAskGateway,
  createBreakers,
  type Disclosure,
  type GatewayServices,
  type Question,
  type QuestionItem,
  questionKey,
  questionKind,
} from '#shared/questions';
import { createRateLimiter } from '#shared/rate-limiter';
import type { VersionedItems } from '#shared/store';
import type { CallResult, QuestionOption, VendorClient } from '#shared/vendor';
import { createManualClock } from '../../../builders/manual-clock.ts';
import { createMemoryItems, createMemoryLedgerStore } from '../../../builders/memory-items.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
const ACCOUNT = 'default';
const LATENCY_MS = 3 * SECOND_MS;
export const digest = createDigest('an installation secret of a test');

export const FOUND: CallResult = {
  kind: 'found',
  record: { title: 'Engineer' },
  results: 1,
  report: undefined,
};
/** An answer with this record. */
export function found(record: Readonly<Record<string, unknown>>, results = 1): CallResult {
  return { kind: 'found', record, results, report: undefined };
}

export const NO_MATCH: CallResult = { kind: 'no-match', report: undefined };
export const LOST: CallResult = { kind: 'unknown', reason: 'timeout' };
export const NOT_SENT: CallResult = { kind: 'not-sent', reason: 'refused' };

export function declined(why: Extract<CallResult, { kind: 'declined' }>['why']): CallResult {
  return { kind: 'declined', why, report: undefined, reason: why };
}

/** The profile of a generated person; the n-th one. */
export function profile(options: readonly QuestionOption[] = [], index = 0): Question {
  const by = { profileUrl: `https://people.example/in/person-${index}` };
  return { operation: 'personProfile', by, options };
}

export interface Wish {
  /** What the vendor answers, in this order; the last one again and again. */
  readonly answers?: readonly CallResult[];
  readonly budgets?: Budgets;
  readonly keyCheck?: KeyCheck;
  /** Names the API key that a worker uses. */
  readonly keyHash?: string;
  /** What the worker's wall clock shows at a time. */
  readonly wall?: (nowMs: number) => number;
  readonly referenceClock?: ReferenceClock;
  /** How far away the stores are, there and back, at most; at once unless given. Spreads those who wait, too. */
  readonly storeMs?: number;
  /** Befalls the worker between the mark and the request. */
  readonly onWrite?: (item: QuestionItem) => Promise<void> | void;
  /** The same between an entry of the ledger and what follows it. */
  readonly onAppend?: (entry: LedgerEntry) => Promise<void> | void;
}

/** The gateway over memory, with a vendor that answers what it is told to; counts what reaches the stores. */
export function openGateway(wish: Wish = {}) {
  const shared = openShared(wish);
  const { clock, stores, ops, calls } = shared;
  const read = async (question: Question) =>
    stores.items.read(questionKind.key(questionKey(question, digest)));
  /** Another worker over the same stores. */
  const worker = (name: string, other: Pick<Wish, 'keyHash' | 'referenceClock' | 'wall'> = {}) =>
    startWorker(shared, { ...wish, ...other, name });
  const log = () => stores.ledger.entries({ account: ACCOUNT, fromSeq: 1, limit: 1_000 });
  return {
    clock,
    stores,
    ops,
    /** Every question that reached the vendor. */
    calls,
    worker,
    ...worker('first'),
    item: async (question: Question) => (await read(question))?.value,
    /** Puts an item as another worker would have left it. */
    put: async (question: Question, item: Omit<QuestionItem, 'key' | 'operation'>) => {
      const key = questionKey(question, digest);
      const value = { key, operation: question.operation, ...item };
      await stores.items.write({
        key: questionKind.key(key),
        value,
        expectedVersion: (await read(question))?.version,
      });
    },
    log,
    kinds: async () => (await log()).map(({ kind, amountCredits }) => `${kind} ${amountCredits}`),
  };
}

function openShared({ answers = [FOUND] }: Wish) {
  const clock = createManualClock({ startMs: NOON, autoAdvance: true });
  const calls: Question[] = [];
  return {
    clock,
    calls,
    random: seededRandom(7),
    ops: { reads: [] as string[], writes: [] as string[] },
    stores: {
      items: parsed(createMemoryItems<QuestionItem>(), (stored) => questionItemSchema.parse(stored)),
      sideItems: parsed(createMemoryItems<SideItem>(), (stored) => sideItemSchema.parse(stored)),
      disclosures: parsed(createMemoryItems<Disclosure>(), (stored) => disclosureSchema.parse(stored)),
      suppression: parsed(createMemoryItems<SuppressionItem>(), (stored) =>
        suppressionItemSchema.parse(stored),
      ),
      ledger: createMemoryLedgerStore(),
      rateLimiter: createMemoryItems<RateLimiterState>(),
      breakers: parsed(createMemoryItems<BreakerState>(), (stored) => breakerStateSchema.parse(stored)),
    },
    ask: async (question: Parameters<VendorClient['ask']>[0]): Promise<CallResult> => {
      calls.push(question as Question);
      const answer = answers[Math.min(calls.length, answers.length) - 1] ?? FOUND;
      await clock.sleep(LATENCY_MS);
      return answer;
    },
  };
}

type Shared = ReturnType<typeof openShared>;

function startWorker(shared: Shared, wish: Wish & { readonly name: string }) {
  const { stores, ops, ask: askVendor } = shared;
  const { name: worker, budgets = { perDay: 1_000 }, keyCheck = ACCEPTING, onWrite, keyHash = 'a' } = wish;
  let nonces = 0;
  const { wall = (nowMs) => nowMs, referenceClock } = wish;
  const own: Clock = { ...shared.clock, now: () => wall(shared.clock.now()) };
  const clock = correctedClock(own, referenceClock);
  const away = wayTo(shared, wish);
  const rules = {
    account: ACCOUNT,
    clock,
    random: wish.storeMs === undefined ? () => 0 : shared.random,
  };
  const limiterItems = counted(stores.rateLimiter, { name: 'rateLimiter', ops, away });
  const rateLimiter = createRateLimiter({ ...rules, items: limiterItems, worker });
  const breakerItems = counted(stores.breakers, { name: 'breakers', ops, away });
  const requestTimeoutMs = POLICY.requestTimeoutMs;
  const store = {
    ...stores.ledger,
    newest: (account: string) =>
      noted(
        ops.reads,
        'ledger',
        away(() => stores.ledger.newest(account)),
      ),
    append: async (entry: LedgerEntry) => {
      const appended = await noted(
        ops.writes,
        'ledger',
        away(() => stores.ledger.append(entry)),
      );
      await wish.onAppend?.(entry);
      return appended;
    },
  };
  const sideItems = counted(stores.sideItems, { name: 'sideItems', ops, away });
  const suppression = counted(stores.suppression, { name: 'suppression', ops, away });
  const services: GatewayServices = {
    items: counted(stores.items, { name: 'questions', ops, onWrite, away }),
    sideItems,
    disclosures: createDisclosures({ items: stores.disclosures, sideItems: stores.sideItems, clock }),
    suppressionList: createSuppressionList({ items: suppression, clock }),
    ledger: createLedger({ ...rules, store, digest, budgets, timeZone: 'UTC' }),
    rateLimiter,
    vendor: { ask: askVendor },
    breakers: createBreakers({
      ...rules,
      keyHash,
      items: breakerItems,
      vendor: keyCheck,
      rateLimiter,
      requestTimeoutMs,
      testCreditsPerHour: 10,
    }),
    clock,
    referenceClock,
    digest,
    newNonce: () => `${worker}-${nonces++}`,
    packing: brotliPacking,
    policy: POLICY,
  };
  const gateway = createAskGateway(services);
  const ask = (question: Question, rest: Partial<AskRequest> = {}): Promise<AskResult> =>
    gateway.ask({ question, purpose: 'live', notAfterMs: clock.now() + 4 * MINUTE_MS, ...rest });
  return { services, gateway, ask };
}

export type KeyCheck = Pick<VendorClient, 'checkKey'>;
const ACCEPTING: KeyCheck = {
  checkKey: async () => ({ kind: 'accepted', report: undefined, limited: false }),
};

export type Opened = ReturnType<typeof openGateway>;

const POLICY: GatewayServices['policy'] = {
  requestTimeoutMs: 30 * SECOND_MS,
  noMatchCost: 'full',
  emptySearchCost: 'none',
  testCreditsPerHour: 10,
  freshnessMs: { person: 90 * DAY_MS, company: 90 * DAY_MS, search: DAY_MS },
  noMatchRetryMs: [30 * DAY_MS, 90 * DAY_MS, 180 * DAY_MS],
};

/** Everything goes through its stored form. */
function parsed<T>(items: VersionedItems<T>, parse: (stored: unknown) => T): VersionedItems<T> {
  return {
    read: items.read,
    write: (change) => items.write({ ...change, value: parse(JSON.parse(JSON.stringify(change.value))) }),
  };
}

interface Counted<T> {
  readonly name: string;
  readonly ops: { reads: string[]; writes: string[] };
  readonly onWrite?: ((value: T) => Promise<void> | void) | undefined;
  readonly away: Way;
}

type Way = <R>(effect: () => Promise<R>) => Promise<R>;

/** The way to a store and back. */
function wayTo({ clock, random }: Shared, { storeMs }: Wish): Way {
  if (storeMs === undefined) return (effect) => effect();
  return async (effect) => {
    await clock.sleep(1 + (random() * storeMs) / 2);
    const result = await effect();
    await clock.sleep(1 + (random() * storeMs) / 2);
    return result;
  };
}

function counted<T>(items: VersionedItems<T>, { name, ops, onWrite, away }: Counted<T>): VersionedItems<T> {
  return {
    read: (key) =>
      noted(
        ops.reads,
        name,
        away(() => items.read(key)),
      ),
    write: async (change) => {
      const written = await noted(
        ops.writes,
        name,
        away(() => items.write(change)),
      );
      await onWrite?.(change.value);
      return written;
    },
  };
}

function noted<R>(list: string[], name: string, result: R): R {
  list.push(name);
  return result;
}
