import type { AskRequest } from '#inside/questions/gateway-services.ts';
import { createLedgerStore, readLog } from '#shared/credit-ledger';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';
import { type Clock, MINUTE_MS, type ReferenceClock, SECOND_MS } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import {
  type AskResult,
  createAskGateway,
  type Question,
  type QuestionItem,
  questionKey,
  questionKind,
} from '#shared/questions';
import { rateLimiterKind } from '#shared/rate-limiter';
import { openItems } from '#shared/store';
import type { CallResult, QuestionOption, VendorClient } from '#shared/vendor';
import { askingServices } from '../../../harness/asking-services.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { openMemoryStore, openTogether } from '../../../harness/memory-items.ts';
import { putsOf, type StoreRequest, type StoreWatch, watchedStore } from '../../../harness/watched-store.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
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
  readonly budgets?: PolicyInput['budgets'];
  readonly keyCheck?: KeyCheck;
  /** Names the API key that a worker uses. */
  readonly keyHash?: string;
  /** What the worker's wall clock shows at a time. */
  readonly wall?: (nowMs: number) => number;
  readonly referenceClock?: ReferenceClock;
  /** Befalls the worker between the mark and the request. */
  readonly onWrite?: (item: QuestionItem) => Promise<void> | void;
  /** Sees each request of the worker to the store. */
  readonly watch?: StoreWatch;
}

/** The gateway over a store in memory, with a vendor that answers what it is told to; counts the store's requests. */
export function openGateway(wish: Wish = {}) {
  const shared = openShared(wish);
  const { clock, store, ops, calls } = shared;
  const items = openItems<QuestionItem>({ store }, questionKind);
  const read = async (question: Question) => items.read(questionKind.key(questionKey(question, digest)));
  /** Another worker over the same store. */
  const worker = (name: string, other: Pick<Wish, 'keyHash' | 'referenceClock' | 'wall' | 'watch'> = {}) =>
    startWorker(shared, { ...wish, ...other, name });
  const log = () => Array.fromAsync(readLog(createLedgerStore(openTogether(store))));
  return {
    clock,
    store,
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
      const expectedVersion = (await read(question))?.version;
      await items.write({ key: questionKind.key(key), value, expectedVersion });
    },
    /** Deletes all questions, as their expiry would. */
    expireQuestions: () => store.database.exec("DELETE FROM items WHERE key LIKE '%#question#%'"),
    limiter: async () => (await openItems({ store }, rateLimiterKind).read(rateLimiterKind.key('')))?.value,
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
    store: openMemoryStore(),
    ops: { reads: [] as string[], writes: [] as string[] },
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
  const { ops, ask: askVendor } = shared;
  const { name, budgets = { perDay: 1_000 }, keyCheck = ACCEPTING, keyHash = 'a', watch = passOn } = wish;
  const { wall = (nowMs) => nowMs, referenceClock } = wish;
  const own: Clock = { ...shared.clock, now: () => wall(shared.clock.now()) };
  const watched = watchedStore(shared.store, async (request, send) => {
    if (request.kind !== 'transact') ops.reads.push(nameOf(request));
    const result = await send();
    if (request.kind !== 'transact') return result;
    ops.writes.push(nameOf(request));
    for (const { value } of putsOf(request, questionKind)) await wish.onWrite?.(value);
    return result;
  });
  let ids = 0;
  const services = askingServices({
    store: watchedStore(watched, watch),
    policy: parsePolicy({ budgets, timeZone: 'UTC', freshness: { contactsDays: 90, companiesDays: 90 } }),
    clock: own,
    referenceClock,
    random: () => 0,
    newId: () => `${name.slice(0, 3)}${name.slice(-5)}-${ids++}`,
    digest,
    requestTimeoutMs: 30 * SECOND_MS,
    vendor: { ask: askVendor },
    keyCheck,
    keyHash,
  });
  const { clock } = services;
  const gateway = createAskGateway(services);
  const ask = (question: Question, rest: Partial<AskRequest> = {}): Promise<AskResult> =>
    gateway.ask({ question, purpose: 'live', notAfterMs: clock.now() + 4 * MINUTE_MS, ...rest });
  return { services, gateway, ask };
}

const passOn: StoreWatch = (_, send) => send();

export type KeyCheck = Pick<VendorClient, 'checkKey'>;
const ACCEPTING: KeyCheck = {
  checkKey: async () => ({ kind: 'accepted', report: undefined, limited: false }),
};

export type Opened = ReturnType<typeof openGateway>;

/** The kinds of a request's items, each once. */
function nameOf(request: StoreRequest): string {
  if (request.kind === 'index' || request.kind === 'count') return request.kind;
  const places = request.kind === 'getMany' ? request.places : request.writes.map(({ place }) => place);
  return [...new Set(places.map(({ kind }) => kind.prefix))].join('+');
}
