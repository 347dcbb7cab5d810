import type { Clock } from '#shared/kernel';
import type { FusePlan } from '../../harness/fuse.ts';

/**
 * What befalls an actor at one of its calls. After `sleep`, it goes on where it stopped as soon as somebody thaws it. After
 * `error`, it lives on; where the call is none of a store's, nothing befalls it.
 */
export type Fate = Pick<FusePlan, 'at' | 'effect' | 'kind'>;

/** What a store throws: throttled, out of order, or timed out, whether the call had its effect or not. */
export class StoreFailed extends Error {
  override name = 'StoreFailed';
}

export interface Circumstances {
  readonly fate?: Fate | undefined;
  /** How far its wall clock is ahead. */
  readonly skewMs?: number;
  /** Its clock steps by `skewMs` as it makes this call; before, it is right. From the start unless given. */
  readonly wrongFromCall?: number;
}

/** One process: everything it does to the outside, time included, goes through the stage. */
export interface Actor {
  readonly name: string;
  readonly clock: Clock;
  /** The names of the calls made so far, in order. */
  readonly calls: readonly string[];
  /** Set when its fate has befallen it: the call at which it did. */
  hitAt(): string | undefined;
  isKilled(): boolean;
  isFrozen(): boolean;
  thaw(): void;
  /** The same port, each of its functions a call that waits for its turn. */
  port<T extends object>(label: string, target: T): T;
  call<R>(name: string, effect: () => R | Promise<R>): Promise<R>;
}

export interface Stage {
  now(): number;
  actor(name: string, circumstances?: Circumstances): Actor;
  /** Lets calls take their turns, and time pass when nobody can go on now, until `isDone` or nobody is left. */
  run(isDone: () => boolean): Promise<void>;
  /** Moves time on by `ms`, and lets everything happen that happens meanwhile. */
  pass(ms: number): Promise<void>;
}

export interface StageOptions {
  readonly startMs: number;
  /** Whose turn it is, of so many who are ready: an index. */
  readonly choose: (ready: number) => number;
}

interface Turn {
  readonly atMs: number;
  readonly go: () => void;
}

interface State {
  readonly options: StageOptions;
  nowMs: number;
  readonly turns: Turn[];
  /** Calls whose effect is coming about: where stores are far away, that takes real time. */
  readonly underWay: Set<Promise<unknown>>;
}

/** A deterministic scheduler over virtual time: the same choices give the same course. */
export function createStage(options: StageOptions): Stage {
  const state: State = { options, nowMs: options.startMs, turns: [], underWay: new Set() };
  const run = async (isDone: () => boolean, untilMs: number) => {
    for (;;) {
      await quiet(state);
      if (isDone() || !takeTurn(state, untilMs)) return;
    }
  };
  return {
    now: () => state.nowMs,
    actor: (name, circumstances) => createActor(state, name, circumstances),
    run: (isDone) => run(isDone, Number.POSITIVE_INFINITY),
    pass: async (ms) => {
      const untilMs = state.nowMs + ms;
      await run(() => false, untilMs);
      state.nowMs = untilMs;
    },
  };
}

/** All that happens between two calls are microtasks. */
async function quiet({ underWay }: State): Promise<void> {
  do {
    await Promise.allSettled(underWay);
    await new Promise((resolve) => setImmediate(resolve));
  } while (underWay.size > 0);
}

/** Virtual time stands still until it has come about. */
async function comeAbout<R>({ underWay }: State, effect: () => R | Promise<R>): Promise<R> {
  const coming = (async () => effect())();
  underWay.add(coming);
  try {
    return await coming;
  } finally {
    underWay.delete(coming);
  }
}

function takeTurn(state: State, untilMs: number): boolean {
  const { turns, options } = state;
  const nextMs = turns.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  if (nextMs === Number.POSITIVE_INFINITY || nextMs > untilMs) return false;
  state.nowMs = Math.max(state.nowMs, nextMs);
  const ready = turns.filter(({ atMs }) => atMs <= state.nowMs);
  const chosen = ready[options.choose(ready.length) % ready.length];
  if (!chosen) return false;
  turns.splice(turns.indexOf(chosen), 1);
  chosen.go();
  return true;
}

/** All other calls are time, the vendor and the key check. */
const STORE_CALL = /^store\./;

interface Wait {
  readonly ms?: number;
  readonly signal?: AbortSignal | undefined;
}

function createActor(
  state: State,
  name: string,
  { fate, skewMs = 0, wrongFromCall = 0 }: Circumstances = {},
): Actor {
  const calls: string[] = [];
  const thawed = Promise.withResolvers<void>();
  let hitAt: string | undefined;
  let isThawed = false;

  const standing = async () => {
    if (hitAt !== undefined && fate?.kind !== 'error')
      await (fate?.kind === 'death' ? NEVER : thawed.promise);
  };
  const meet = async (effect: Fate['effect'], nth: number) => {
    if (fate?.effect !== effect || fate.at !== nth) return;
    const isStores = STORE_CALL.test(calls[nth - 1] ?? '');
    if (fate.kind === 'error' && !isStores) return;
    hitAt = `${fate.kind}, effect ${effect}, at ${nth} ${calls[nth - 1]}`;
    if (fate.kind === 'error') throw new StoreFailed(hitAt);
    await standing();
  };
  const call = async <R>(what: string, effect: () => R | Promise<R>, wait: Wait = {}): Promise<R> => {
    const nth = calls.push(what);
    const turn = Promise.withResolvers<void>();
    const mine = { atMs: state.nowMs + (wait.ms ?? 0), go: turn.resolve };
    state.turns.push(mine);
    wait.signal?.addEventListener('abort', () => {
      if (state.turns.includes(mine)) state.turns.splice(state.turns.indexOf(mine), 1);
      turn.reject(wait.signal?.reason);
    });
    await turn.promise;
    await standing();
    await meet('none', nth);
    const result = await comeAbout(state, effect);
    await meet('done', nth);
    return result;
  };
  return {
    name,
    calls,
    call,
    hitAt: () => hitAt,
    isKilled: () => hitAt !== undefined && fate?.kind === 'death',
    isFrozen: () => hitAt !== undefined && fate?.kind === 'sleep' && !isThawed,
    thaw: () => {
      isThawed = true;
      thawed.resolve();
    },
    clock: {
      now: () => state.nowMs + (calls.length >= wrongFromCall ? skewMs : 0),
      monotonic: () => state.nowMs - state.options.startMs,
      sleep: (ms, signal) => call('clock.sleep', () => undefined, { ms: Math.max(0, Math.ceil(ms)), signal }),
    },
    port: (label, target) =>
      new Proxy(target, {
        get: (owner, member) => {
          const found: unknown = Reflect.get(owner, member);
          if (typeof found !== 'function') return found;
          return (...given: unknown[]) =>
            call(`${label}.${String(member)}`, () => Reflect.apply(found, owner, given));
        },
      }),
  };
}

const NEVER = new Promise<never>(() => undefined);
