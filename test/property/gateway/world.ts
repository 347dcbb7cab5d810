import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { createDisclosures } from '#inside/questions/people/disclosures.ts';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import type { Resolved } from '#inside/questions/resolve-doubt.ts';
import { type LedgerEntry, readLog } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import {
  clockOffsetMs,
  correctedClock,
  DAY_MS,
  type Digest,
  MINUTE_MS,
  type ReferenceClock,
  SECOND_MS,
} from '#shared/kernel';
import {
  type AbandonedReport,
  type AskGateway,
  type AskResult,
  createAskGateway,
  createBreakers,
  finishAbandoned,
  type GatewayServices,
  type Question,
  type QuestionItem,
  questionKey,
  resolveDoubt,
  timeToAnswerMs,
} from '#shared/questions';
import { createRateLimiter } from '#shared/rate-limiter';
import type { VersionedItems } from '#shared/store';
import { type Actor, type Circumstances, createStage } from './stage.ts';
import { noticeStamps } from './stamps.ts';
import { createMemoryStores, type SharedStores } from './stores.ts';
import { createVendor, REQUEST_TIMEOUT_MS, type Reply } from './vendor.ts';

/** All shorter than in earnest, in the same order: fewer looks at an item that does not change. */
export const GRACE_MS = MINUTE_MS;
const PATIENCE_MS = 16 * SECOND_MS;
const TIME_ZONE = 'Europe/Berlin';
const ACCOUNT = 'default';

/** No secret is kept here, and a run hashes thousands of entries: a checksum does. */
export const digest: Digest = { keyed: (text) => checksum(`keyed ${text}`), sha256: checksum };

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
  readonly budgets: Budgets;
  /** What all processes share; in memory unless told. */
  readonly stores?: SharedStores | undefined;
}

export type World = ReturnType<typeof createWorld>;

/** Askers, sweeps and people over shared stores and one vendor, each of them a process of its own. */
export function createWorld(options: WorldOptions) {
  const { budgets, stores: shared = createMemoryStores() } = options;
  let moments = 0;
  const moment = () => ++moments;
  const stage = createStage(options);
  const vendor = createVendor(options.replyTo, moment);
  const resolutions: Resolution[] = [];
  const senders = new Map<string, string>();
  const stores = {
    ...shared,
    ledger: noticeStamps(shared.ledger, stage.now),
    items: noticeResolutions(shared.items, (resolution) =>
      resolutions.push({ ...resolution, moment: moment() }),
    ),
  };
  const started: Running<unknown>[] = [];
  const start = <R>(actor: Actor, work: () => Promise<R>): Running<R> => {
    const running = track(actor, work);
    started.push(running);
    return running;
  };
  const services = (actor: Actor) => gatewayServices(actor, { stores, vendor, budgets, senders, stage });

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
    stores,
    resolutions,
    /** Who marked which reservation's question as sent. */
    senders,
    started,
    process,
    ask,
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
    ledger: createLedger({ ...ledgerServices(budgets), store: stores.ledger, clock: systemOf(stage.now) }),
    log: (): Promise<LedgerEntry[]> => Array.fromAsync(readLog(stores.ledger, ACCOUNT)),
  };
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

type Services = Pick<World, 'stores' | 'vendor' | 'budgets' | 'senders' | 'stage'>;

function gatewayServices(actor: Actor, services: Services): GatewayServices {
  const { stores, vendor, budgets, senders, stage } = services;
  // Told with each answer of the store, to the second.
  const serverMs = () => Math.floor(stage.now() / SECOND_MS) * SECOND_MS;
  const referenceClock: ReferenceClock = {
    offsetMs: () => clockOffsetMs({ serverMs: serverMs(), receivedAtMs: actor.clock.now(), tookMs: 0 }),
  };
  const clock = correctedClock(actor.clock, referenceClock);
  const sent = new Map<string, string>();
  let nonces = 0;
  const items = actor.port('items', stores.items);
  const sideItems = actor.port('sideItems', stores.sideItems);
  const disclosures = actor.port('disclosures', stores.disclosures);
  const suppression = actor.port('suppression', stores.suppression);
  const rateLimiter = createRateLimiter({
    items: actor.port('rateLimiter', stores.rateLimiter),
    worker: actor.name,
    clock,
    random: noJitter,
  });
  return {
    items: {
      read: items.read,
      write: async (change) => {
        const { attempt, key } = change.value;
        if (attempt?.state === 'in-flight') senders.set(attempt.reservationId, actor.name);
        const written = await items.write(change);
        if (attempt?.state === 'in-flight' && written !== 'conflict') sent.set(key, attempt.reservationId);
        return written;
      },
    },
    sideItems,
    disclosures: createDisclosures({ items: disclosures, sideItems, clock }),
    suppressionList: createSuppressionList({ items: suppression, clock }),
    ledger: createLedger({
      ...ledgerServices(budgets),
      store: actor.port('ledger', stores.ledger),
      clock,
    }),
    rateLimiter,
    vendor: vendor.callsOf(actor, (question) => {
      const questionKey = keyOf(question);
      return { questionKey, reservationId: sent.get(questionKey) ?? 'none' };
    }),
    breakers: createBreakers({
      items: actor.port('breakers', stores.breakers),
      keyHash: 'hash of the key',
      vendor: actor.port('keyCheck', {
        checkKey: async () => ({ kind: 'accepted' as const, report: undefined, limited: false }),
      }),
      rateLimiter,
      clock,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      testCreditsPerHour: 10,
    }),
    clock,
    referenceClock,
    digest,
    newNonce: () => `${actor.name.replaceAll(' ', '-')}-${sent.size}-${nonces++}`,
    packing: { pack: (value) => JSON.stringify(value), unpack: (packed) => JSON.parse(packed) },
    policy: {
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      noMatchCost: 'full',
      emptySearchCost: 'none',
      testCreditsPerHour: 10,
      freshnessMs: FRESHNESS_MS,
      noMatchRetryMs: [30 * DAY_MS, 90 * DAY_MS],
    },
  };
}

const FRESHNESS_MS = { person: 90 * DAY_MS, company: 90 * DAY_MS, search: 90 * DAY_MS };

const noJitter = () => 0;

function ledgerServices(budgets: Budgets) {
  return { account: ACCOUNT, random: noJitter, digest, budgets, timeZone: TIME_ZONE };
}

function systemOf(now: () => number) {
  return { now, monotonic: now, sleep: async () => undefined };
}

/** Sees a doubt being resolved by what happens to its item, whoever crashes afterwards. */
function noticeResolutions(
  items: VersionedItems<QuestionItem>,
  onResolved: (resolution: Omit<Resolution, 'moment'>) => void,
): VersionedItems<QuestionItem> {
  return {
    read: items.read,
    write: async (change) => {
      const before = (await items.read(change.key))?.value;
      const written = await items.write(change);
      const after = change.value.attempt;
      const isResolved = before?.attempt?.state === 'in-doubt' && after?.state === 'completed';
      if (written !== 'conflict' && isResolved && change.value.fencingToken > before.fencingToken) {
        onResolved({ reservationId: after.reservationId, credits: after.charge?.credits ?? 0 });
      }
      return written;
    },
  };
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
