import type { Clock } from '../kernel/clock.ts';
import { OutsideError } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { answerSlot } from './answer.ts';
import { type GovernorState, INITIAL_STATE, type Lane, type RateReport, startOver } from './state.ts';
import { returnSlot, takeSlot } from './take.ts';

export interface GovernorDeps {
  readonly items: VersionedItems<GovernorState>;
  /** This process: what it timed itself needs no allowance for another's clock. */
  readonly worker: string;
  /** The data service's key it governs, as an account name. */
  readonly account: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SlotRequest {
  readonly id: string;
  readonly lane: Lane;
  /** How long a request may take once sent; without an answer the slot counts for a minute from then. */
  readonly requestTimeoutMs: number;
  /** The latest moment at which a slot is still of use, epoch milliseconds. */
  readonly notAfterMs: number;
  /** When its asker gives up, if that is later: of one lane, those whose time runs short go first. */
  readonly dueMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SlotAnswer =
  | { readonly kind: 'granted' }
  /** No slot in time; one may be free at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface RateGovernor {
  /** Waits for a share of the vendor's rate, at most until `notAfterMs`. */
  take(request: SlotRequest): Promise<SlotAnswer>;
  answered(answer: { id: string; report?: RateReport | undefined; limited: boolean }): Promise<void>;
  /** Gives back a slot whose request was never sent, or withdraws a waiter. */
  giveBack(id: string): Promise<void>;
}

export function createRateGovernor(deps: GovernorDeps): RateGovernor {
  return {
    take: (request) => takeWhenFree(deps, request),
    answered: async (answer) => {
      await change(deps, (state) => ({
        result: undefined,
        state: answerSlot(state, { ...answer, worker: deps.worker, nowMs: deps.clock.now() }),
      }));
    },
    giveBack: async (id) => {
      await change(deps, (state) => ({ result: undefined, state: returnSlot(state, id) }));
    },
  };
}

/** Slots come free at known times, so a waiter sleeps until then; the spread keeps waiters from colliding. */
async function takeWhenFree(deps: GovernorDeps, request: SlotRequest): Promise<SlotAnswer> {
  const { clock, random } = deps;
  for (;;) {
    const taken = await change(deps, (state) => {
      const nowMs = clock.now();
      const { worker } = deps;
      const take = takeSlot(state, {
        ...request,
        worker,
        nowMs,
        dueMs: request.dueMs ?? request.notAfterMs,
        deadlineMs: nowMs + request.requestTimeoutMs,
      });
      return { result: take, state: take.state };
    });
    if (taken.kind === 'granted') return { kind: 'granted' };
    if (taken.atMs > request.notAfterMs) {
      await change(deps, (state) => ({ result: undefined, state: returnSlot(state, request.id) }));
      return { kind: 'later', atMs: taken.atMs };
    }
    await clock.sleep(Math.max(0, taken.atMs - clock.now()) + random() * 50, request.signal);
  }
}

/** More lost races than this mean a store gone wrong, not workers in a crowd. */
const MAX_LOST_RACES = 200;

async function change<R>(
  deps: GovernorDeps,
  decide: (state: GovernorState) => { result: R; state: GovernorState },
): Promise<R> {
  const { items, clock, random } = deps;
  const key = `governor#${deps.account}`;
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const stored = await items.read(key);
    const known = stored?.value ?? INITIAL_STATE;
    const { result, state } = decide(known.unreadable ? startOver(clock.now()) : known);
    if (state === known) return result;
    if ((await items.write({ key, value: state, expectedVersion: stored?.version ?? 0 })) === 'written')
      return result;
    await clock.sleep(random() * Math.min(200, 5 * 2 ** lost));
  }
  throw new OutsideError({
    code: 'GOVERNOR_CONTENDED',
    message: `The rate governor's item changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}
