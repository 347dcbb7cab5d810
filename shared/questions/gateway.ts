import { laneOf, nameForBuyer } from '#shared/crm';
import { type Clock, unreachable } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/store';
import { askNow } from './ask/ask-now.ts';
import { type LookUpStep, lookUp } from './ask/look-up.ts';
import { chargeOf, timeShort } from './ask/purchase.ts';
import type { AskRequest, AskResult, Commitment, LookedAt } from './ask-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { type Question, questionKey } from './question.ts';
import type { VendorFacts } from './schemas.ts';
import { questionKind, vendorFactsKind } from './stored-kinds.ts';

export interface AskGateway {
  /** Reads in one request what a purchase begins with, for an `ask` that follows at once. Free. */
  look(question: Question): Promise<LookedAt>;
  /**
   * Answers a question. At most one request is sent, however many callers repeat the question. The budgets and the
   * vendor's rate are kept. This is the only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
  /**
   * Reads the charge of an attempt that a run committed to, in credits; `undefined` while the charge is unknown. Free.
   */
  chargeOf(attempt: Commitment): Promise<number | undefined>;
}

export function createAskGateway(services: GatewayServices): AskGateway {
  const oneByOne = createOneByOne(services.clock);
  return {
    look: (question) => lookAt(services, questionKey(question, services.digest)),
    chargeOf: (attempt) => chargeOf(services, attempt),
    ask: (request) => {
      const { notAfterMs, signal } = request;
      const record = request.record && nameForBuyer(services.owners.portal, request.record);
      const keyed = { ...request, record, key: questionKey(request.question, services.digest) };
      // Live work has its own key, because bulk work may wait longer for a slot.
      const key = `${laneOf(request.purpose)}#${keyed.key}`;
      return oneByOne({ key, notAfterMs, signal, run: () => askUntilAnswered(services, keyed) });
    },
  };
}

/** Reads the item and takes the step that its state allows, until a step has a result. */
async function askUntilAnswered(services: GatewayServices, request: KeyedRequest): Promise<AskResult> {
  for (let { looked } = request; ; looked = undefined) {
    const seen = looked ?? (await lookAt(services, request.key));
    const ended = await takeStep(services, request, {
      step: await lookUp(services, request, seen.stored?.value),
      seen,
    });
    if (ended) return ended;
  }
}

/**
 * Reads in one request what a purchase decides on. The budgets, the suppression list and the rate are only remembered:
 * the work that marks the request decides on them.
 */
async function lookAt(
  { items, breakers, ledger, suppressionList, rateLimiter }: GatewayServices,
  key: string,
): Promise<LookedAt> {
  const [stored, breakersNow] = await Promise.all([
    items.read(questionKind.key(key)),
    breakers.look(),
    ledger.newest(),
    suppressionList.among([key]),
    rateLimiter.look(),
  ]);
  return { stored, breakers: breakersNow };
}

/** @returns the result, or `undefined` if the item must be read again. */
async function takeStep(
  services: GatewayServices,
  request: KeyedRequest,
  { step, seen }: { step: LookUpStep; seen: LookedAt },
): Promise<AskResult | undefined> {
  switch (step.kind) {
    case 'end':
      return step.result;
    case 'wait':
      return (await hasTime(services, request, step.ms)) ? undefined : timeShort(services);
    case 'ask': {
      const result = await askNow(services, request, seen);
      return result.kind === 'again' ? undefined : result;
    }
    default:
      return unreachable(step);
  }
}

/** Waits. @returns false if the caller's signal aborted the wait. */
async function hasTime({ clock }: GatewayServices, { signal }: KeyedRequest, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}

interface Queued<R> {
  readonly key: string;
  readonly run: () => Promise<R>;
  /** The run starts at this time at the latest, epoch milliseconds. */
  readonly notAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with the same key one after the other, within one process. This only saves repeated reads of the stored
 * question. It is no lock: at its `notAfterMs`, work starts even if its predecessor still runs.
 */
export function createOneByOne(clock: Clock): <R>(queued: Queued<R>) => Promise<R> {
  const newest = new Map<string, Promise<unknown>>();
  return async (queued) => {
    const { key, run } = queued;
    const predecessor = newest.get(key);
    const current = predecessor ? ended(clock, predecessor, queued).then(run) : run();
    newest.set(key, current);
    try {
      return await current;
    } finally {
      if (newest.get(key) === current) newest.delete(key);
    }
  };
}

/** Waits until the predecessor has ended in any way, or until `notAfterMs`. */
async function ended(
  clock: Clock,
  predecessor: Promise<unknown>,
  { notAfterMs, signal }: Pick<Queued<unknown>, 'notAfterMs' | 'signal'>,
): Promise<void> {
  const finished = new AbortController();
  const signals = signal ? [finished.signal, signal] : [finished.signal];
  const timeout = clock.sleep(Math.max(0, notAfterMs - clock.now()), AbortSignal.any(signals));
  await Promise.allSettled([Promise.race([predecessor, timeout])]);
  finished.abort();
}

/** Number of different sentences that are kept, newest first. */
const MAX_SENTENCES = 5;

/**
 * Counts misses with unpublished wordings. The count is stored after a question has ended: after the first miss, then
 * whenever the number has doubled. So the stored count may be too low, but needs few writes.
 */
export function createMissCount(services: {
  readonly items: VersionedItems<VendorFacts>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}) {
  const { items, clock } = services;
  let [seenMisses, storedMisses] = [0, 0];
  const sentences = new Set<string>();
  const store = async () => {
    const [added, words, atMs] = [seenMisses - storedMisses, [...sentences], clock.now()];
    await change(items, { key: vendorFactsKind.key(), kind: 'count of misses', clock }, (known) => {
      const before = known?.unknownMisses;
      const unknownMisses = {
        count: (before?.count ?? 0) + added,
        sinceMs: before?.sinceMs ?? atMs,
        lastAtMs: atMs,
        words: [...new Set([...words, ...(before?.words ?? [])])].slice(0, MAX_SENTENCES),
      };
      return { value: { ...known, unknownMisses } };
    });
    storedMisses += added;
    sentences.clear();
  };
  return {
    /** @param words without personal data. */
    see: (words: string) => {
      seenMisses += 1;
      sentences.add(words);
    },
    /** Wraps the gateway so that it stores the count after a question. */
    counting: (gateway: AskGateway): AskGateway => ({
      ...gateway,
      ask: async (request) => {
        const result = await gateway.ask(request);
        // If the count cannot be stored, the paid answer must not be lost. The next question retries.
        if (seenMisses > storedMisses && seenMisses >= 2 * storedMisses) await store().catch(() => undefined);
        return result;
      },
    }),
  };
}
