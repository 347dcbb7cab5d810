import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { Resolved } from '#inside/questions/doubts.ts';
import { createLedgerStore, type LedgerEntry, readLog } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { type Policy, parsePolicy } from '#shared/field-policy';
import { CLOCK_TOLERANCE_MS, clockOffsetMs, type Digest, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import {
  type AbandonedReport,
  type AskGateway,
  type AskResult,
  createAskGateway,
  type Disclosure,
  disclosureKind,
  finishAbandoned,
  type Question,
  type QuestionItem,
  questionKey,
  questionKind,
  resolveDoubt,
  timeToAnswerMs,
} from '#shared/questions';
import { openItems, type Store } from '#shared/store';
import { askingServices } from '../../harness/asking-services.ts';
import { openMemoryStore, openTogether } from '../../harness/memory-items.ts';
import { putsOf, type StoreRequest, watchedStore } from '../../harness/watched-store.ts';
import { type Actor, type Circumstances, createStage } from './stage.ts';
import { createVendor, REQUEST_TIMEOUT_MS, type Reply } from './vendor.ts';

/** All shorter than in earnest, in the same order: fewer looks at an item that does not change. */
export const GRACE_MS = MINUTE_MS;
const PATIENCE_MS = 16 * SECOND_MS;
/** What a clock may be off before it is refused, and the second that a `Date` header leaves open. */
const STAMP_TOLERANCE_MS = CLOCK_TOLERANCE_MS + SECOND_MS;

/** No secret is kept here, and a run hashes thousands of entries: a checksum does. */
export const digest: Digest = { keyed: (text) => checksum(`keyed ${text}`), sha256: checksum };

const POLICY = parsePolicy({
  budgets: { perDay: 1 },
  timeZone: 'Europe/Berlin',
  freshness: { contactsDays: 90, companiesDays: 90 },
  noMatchRetryDays: [30, 90],
});

export interface Ask {
  readonly question: Question;
  readonly purpose?: Purpose;
  /** How long the asker waits for its turn. */
  readonly patienceMs?: number;
}

/** One asker on its way: `done` as soon as it has its result, or nothing more will come of it. */
export interface Running<R> {
  readonly actor: Actor;
  result: R | undefined;
  error: unknown;
  readonly isDone: () => boolean;
}

/** A doubt that somebody resolved. */
export interface Resolution {
  readonly reservationId: string;
  /** What it was believed to have cost. */
  readonly credits: number;
  readonly moment: number;
}

export interface WorldOptions {
  readonly startMs: number;
  readonly choose: (ready: number) => number;
  readonly replyTo: (nth: number) => Reply;
  readonly budgets: Partial<Policy['budgets']>;
  /** What all processes share; in memory unless told. */
  readonly store?: Store | undefined;
}

/** Unique also among worlds that use one file, because a version of an item is such an id. */
let ids = 0;

export type World = ReturnType<typeof createWorld>;

/** Askers, sweeps and people over one store and one vendor, each of them a process of its own. */
export function createWorld(options: WorldOptions) {
  const { budgets, store = openMemoryStore() } = options;
  let moments = 0;
  const moment = () => ++moments;
  const stage = createStage(options);
  const vendor = createVendor(options.replyTo, moment);
  const seen: Seen = { resolutions: [], senders: new Map(), sent: new Map(), stampedAhead: [] };
  const items = openItems<QuestionItem>({ store }, questionKind);
  const disclosures = openItems<Disclosure>({ store }, disclosureKind);
  const started: Running<unknown>[] = [];
  const start = <R>(actor: Actor, work: () => Promise<R>): Running<R> => {
    const running = track(actor, work);
    started.push(running);
    return running;
  };
  const services = (actor: Actor) => {
    const noticed = watchedStore(store, async (request, send) => {
      const before = new Map<string, QuestionItem | undefined>();
      for (const { value } of questionsIn(request))
        before.set(value.key, (await items.read(questionKind.key(value.key)))?.value);
      for (const { value } of questionsIn(request))
        if (value.attempt?.state === 'in-flight') seen.senders.set(value.attempt.reservationId, actor.name);
      const result = await send();
      if (request.kind === 'transact' && isDone(result)) notice(seen, request, { before, stage, moment });
      return result;
    });
    // Told with each answer of the store, to the second.
    const serverMs = () => Math.floor(stage.now() / SECOND_MS) * SECOND_MS;
    const { clock } = actor;
    return askingServices({
      store: watchedStore(noticed, (request, send) => actor.call(`store.${request.kind}`, send)),
      policy: { ...POLICY, budgets: { purposes: {}, ...budgets } },
      clock,
      referenceClock: {
        offsetMs: () => clockOffsetMs({ serverMs: serverMs(), receivedAtMs: clock.now(), tookMs: 0 }),
      },
      random: () => 0,
      newId: () => `id-${String(++ids).padStart(10, '0')}`,
      digest,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      vendor: vendor.callsOf(actor, (question) => {
        const key = keyOf(question);
        return { questionKey: key, reservationId: seen.sent.get(key) ?? 'none' };
      }),
      keyHash: 'hash of the key',
      keyCheck: actor.port('keyCheck', {
        checkKey: async () => ({ kind: 'accepted' as const, report: undefined, limited: false }),
      }),
    });
  };

  /** A process with a gateway of its own; several may ask through it. */
  const process = (name: string, circumstances?: Circumstances) => {
    const actor = stage.actor(name, circumstances);
    return { actor, gateway: createAskGateway(services(actor)) };
  };
  const ask = (by: { actor: Actor; gateway: AskGateway }, asked: Ask): Running<AskResult> => {
    const { question, purpose = 'live', patienceMs = PATIENCE_MS } = asked;
    const waitMs = patienceMs + timeToAnswerMs({ requestTimeoutMs: REQUEST_TIMEOUT_MS });
    const notAfterMs = by.actor.clock.now() + waitMs;
    return start(by.actor, () => by.gateway.ask({ question, purpose, notAfterMs }));
  };
  return {
    budgets,
    stage,
    vendor,
    ...seen,
    started,
    process,
    ask,
    item: async (key: string) => (await items.read(questionKind.key(key)))?.value,
    /** How many requests about a question's person are disclosed. */
    disclosed: async (key: string) =>
      (await disclosures.read(disclosureKind.key(key)))?.value.requests.length ?? 0,
    sweep: (circumstances?: Circumstances): Running<AbandonedReport> => {
      const actor = stage.actor('sweep', circumstances);
      return start(actor, () => finishAbandoned(services(actor), { graceMs: GRACE_MS }));
    },
    resolve: (asked: Question | string, charged: boolean, by?: Circumstances): Running<Resolved> => {
      const actor = stage.actor('person', by);
      const questionKey = typeof asked === 'string' ? asked : keyOf(asked);
      const resolution = { questionKey, charged, note: 'seen on the bill' };
      return start(actor, () => resolveDoubt(services(actor), resolution, { graceMs: GRACE_MS }));
    },
    log: (): Promise<LedgerEntry[]> => Array.fromAsync(readLog(createLedgerStore(openTogether(store)))),
  };
}

/** What the outside sees of the processes' writes. */
interface Seen {
  readonly resolutions: Resolution[];
  /** Who marked which reservation's question as sent. */
  readonly senders: Map<string, string>;
  /** The reservation of a question's last request. */
  readonly sent: Map<string, string>;
  /** Entries of a time that had not come when they were appended. */
  readonly stampedAhead: string[];
}

interface Noticing {
  /** The questions before the write. */
  readonly before: ReadonlyMap<string, QuestionItem | undefined>;
  readonly stage: { now(): number };
  readonly moment: () => number;
}

function notice(seen: Seen, request: StoreRequest, { before, stage, moment }: Noticing): void {
  for (const { value } of questionsIn(request)) {
    const { key, attempt, fencingToken } = value;
    const known = before.get(key);
    if (attempt?.state === 'in-flight') seen.sent.set(key, attempt.reservationId);
    // A doubt that somebody resolved, whoever crashes afterwards.
    const isEnded = known?.attempt?.state === 'in-doubt' && attempt?.state === 'completed';
    if (isEnded && fencingToken > known.fencingToken) {
      const { reservationId, charge } = attempt;
      seen.resolutions.push({ reservationId, credits: charge?.credits ?? 0, moment: moment() });
    }
  }
  for (const { value } of putsOf(request, ledgerEntryKind)) {
    const aheadMs = value.atMs - stage.now();
    if (aheadMs > STAMP_TOLERANCE_MS)
      seen.stampedAhead.push(`entry ${value.seq} (${value.kind}) is stamped ${aheadMs} ms ahead of time`);
  }
}

const questionsIn = (request: StoreRequest) => putsOf(request, questionKind);

function isDone(result: unknown): boolean {
  return Object(result).kind === 'done';
}

export function keyOf(question: Question): string {
  return questionKey(question, digest);
}

/** Two rolling 32-bit sums, by different primes. */
function checksum(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(16)}-${(b >>> 0).toString(16)}`;
}

function track<R>(actor: Actor, work: () => Promise<R>): Running<R> {
  let settled = false;
  const running: Running<R> = {
    actor,
    result: undefined,
    error: undefined,
    isDone: () => settled || actor.isKilled(),
  };
  const end = (outcome: Partial<Pick<Running<R>, 'result' | 'error'>>) => {
    settled = true;
    Object.assign(running, outcome);
  };
  work().then(
    (result) => end({ result }),
    (error: unknown) => end({ error }),
  );
  return running;
}
