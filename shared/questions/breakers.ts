import type { Clock } from '../kernel/clock.ts';
import type { RateGovernor } from '../rate-governor/governor.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { type BreakerState, CLOSED, keyAccepted, learn, type Passage, passage } from './breaker-state.ts';
import type { CallResult, KeyCheck } from './paid-calls.ts';

export interface BreakersDeps {
  readonly items: VersionedItems<BreakerState>;
  readonly account: string;
  readonly keyCheck: KeyCheck;
  readonly governor: RateGovernor;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

export interface Breakers {
  /** Whether a question of this price may be asked now; probes the key with the free check when it is time to. */
  pass(priceCredits: number): Promise<{ readonly kind: 'pass' } | Extract<Passage, { kind: 'refused' }>>;
  learn(result: CallResult, priceCredits: number): Promise<void>;
  read(): Promise<BreakerState>;
}

export function createBreakers(deps: BreakersDeps): Breakers {
  const key = `breakers#${deps.account}`;
  const read = async () => (await deps.items.read(key)) ?? { value: CLOSED, version: 0 };
  /** A lost race means that another worker learned something in the same moment: both are taken in turn. */
  const change = async (decide: (state: BreakerState) => BreakerState): Promise<void> => {
    for (;;) {
      const { value, version } = await read();
      const next = decide(value);
      if (next === value) return;
      if ((await deps.items.write({ key, value: next, expectedVersion: version })) === 'written') return;
    }
  };
  return {
    read: async () => (await read()).value,
    learn: (result, priceCredits) =>
      change((state) => learn(state, { result, priceCredits, nowMs: deps.clock.now() })),
    pass: async (priceCredits) => {
      for (;;) {
        const { value, version } = await read();
        const next = passage(value, { priceCredits, nowMs: deps.clock.now() });
        if (next.kind === 'pass' || next.kind === 'refused') return next;
        // Who writes first probes; the others find the next probe's time moved into the future.
        const written = await deps.items.write({ key, value: next.state, expectedVersion: version });
        if (written === 'written' && next.kind === 'probe') return { kind: 'pass' };
        if (written === 'written' && (await keyIsAccepted(deps))) await change(keyAccepted);
      }
    },
  };
}

async function keyIsAccepted({
  governor,
  keyCheck,
  clock,
  requestTimeoutMs,
}: BreakersDeps): Promise<boolean> {
  const id = `key-check:${clock.now()}`;
  const slot = await governor.take({ id, lane: 'live', requestTimeoutMs, notAfterMs: clock.now() });
  if (slot.kind !== 'granted') return false;
  const { kind, report } = await keyCheck.check({ timeoutMs: requestTimeoutMs });
  await governor.answered({ id, report, limited: false });
  return kind === 'accepted';
}
