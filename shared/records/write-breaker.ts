import type { ObjectType } from '#shared/crm';
import { type Clock, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { change } from '#shared/store';
import type { WriteBreaker } from './schemas.ts';
import { type StatusItems, statusKind } from './stored-kinds.ts';

/**
 * Breaker for HubSpot's refusals of paid values, by object type:
 *
 * closed --the third refusal of a property, with no write between--> open --a write--> closed
 *
 * While the breaker is open, one lookup an hour is bought for the object type. A bought answer waits, and its write is
 * retried at no cost. The first write that succeeds closes the breaker.
 */
const CLOSED: WriteBreaker = { refusals: {} };
const MAX_REFUSALS = 3;
/** How long a write that changes nothing needs no further read. */
const SEEN_MS = MINUTE_MS;

/** The result of writing paid values to one record. */
export type WriteOutcome =
  | 'written'
  /** HubSpot's reason, and the properties at fault, if HubSpot names them. */
  | { readonly reason: string; readonly properties: readonly string[] };

export interface WriteBreakers {
  /** Decides whether credits can be spent for a record of this type. While open, one call an hour may pass. */
  pass(objectType: ObjectType): Promise<{
    readonly untilMs?: number | undefined;
    readonly what?: string | undefined;
    readonly params?: Explanation['params'];
  }>;
  learn(objectType: ObjectType, outcomes: readonly WriteOutcome[]): Promise<void>;
  /** Returns why purchases have stopped, and since when; `undefined` while the breaker is closed. */
  open(objectType: ObjectType): Promise<OpenWriteBreaker | undefined>;
}

/** `what` is a sentence for a person that names the refused writes. */
type OpenWriteBreaker = NonNullable<WriteBreaker['open']> & { readonly what: string };

interface Services {
  readonly status: StatusItems;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export function createWriteBreakers({ status, clock }: Services): WriteBreakers {
  /** What this process has read or written, by object type. */
  const seen = new Map<ObjectType, { readonly state: WriteBreaker; readonly atMs: number }>();
  const see = (objectType: ObjectType, state: WriteBreaker) => {
    seen.set(objectType, { state, atMs: clock.now() });
    return state;
  };
  const decide = <D extends { readonly value?: WriteBreaker | undefined }>(
    objectType: ObjectType,
    decideOn: (state: WriteBreaker) => D,
  ) =>
    change(status, { key: keyOf(objectType), kind: 'write breaker', clock }, (known) => {
      const decision = decideOn(see(objectType, known?.writeBreaker ?? CLOSED));
      return { ...decision, value: decision.value && { writeBreaker: decision.value } };
    });
  return {
    pass: async (objectType) => {
      const { untilMs, reason } = await decide(objectType, (state) => decideProbe(state, clock.now()));
      if (untilMs === undefined) return {};
      return { untilMs, what: sentence(objectType, reason), params: { objectType, why: reason } };
    },
    learn: async (objectType, outcomes) => {
      const learnt = (state: WriteBreaker) =>
        outcomes.reduce((known, outcome) => after(known, outcome, clock.now()), state);
      const { state, atMs } = seen.get(objectType) ?? { atMs: Number.NEGATIVE_INFINITY };
      if (state && clock.now() < atMs + SEEN_MS && learnt(state) === state) return;
      await decide(objectType, (known) => {
        const next = learnt(known);
        return { value: next === known ? undefined : next };
      });
    },
    open: async (objectType) => {
      const { open } = see(objectType, (await status.read(keyOf(objectType)))?.value.writeBreaker ?? CLOSED);
      return open && { ...open, what: sentence(objectType, open.reason) };
    },
  };
}

const keyOf = (objectType: ObjectType) => statusKind.key(`write-breaker#${objectType}`);

function sentence(objectType: ObjectType, reason: string): string {
  return `HubSpot refuses writes to ${objectType}: ${reason}.`;
}

type Probe =
  | { readonly untilMs: number; readonly reason: string; readonly value?: undefined }
  | { readonly untilMs?: undefined; readonly reason?: undefined; readonly value?: WriteBreaker };

function decideProbe({ open, refusals }: WriteBreaker, nowMs: number): Probe {
  if (!open) return {};
  if (nowMs < open.probeAtMs) return { untilMs: open.probeAtMs, reason: open.reason };
  return { value: { refusals, open: { ...open, probeAtMs: nowMs + HOUR_MS } } };
}

/** Returns the next state; the same object if it does not change. */
function after(state: WriteBreaker, outcome: WriteOutcome, nowMs: number): WriteBreaker {
  if (outcome === 'written') return Object.keys(state.refusals).length === 0 ? state : CLOSED;
  const { reason, properties } = outcome;
  const refusals = { ...state.refusals };
  for (const property of properties.length > 0 ? properties : [''])
    refusals[property] = (refusals[property] ?? 0) + 1;
  if (state.open) return { refusals, open: { ...state.open, reason } };
  const isOpen = Object.values(refusals).some((count) => count >= MAX_REFUSALS);
  return isOpen ? { refusals, open: { reason, sinceMs: nowMs, probeAtMs: nowMs + HOUR_MS } } : { refusals };
}
