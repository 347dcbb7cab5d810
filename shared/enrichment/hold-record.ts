import type { Purpose, RecordName } from '#shared/crm';
import {
  type Arrival,
  arrive,
  type Claim,
  changeRecord,
  lapsed,
  leading,
  movedWishes,
  type RecordState,
  type Run,
} from '#shared/records';
import type { EnrichmentServices, RecordClaim } from './services.ts';

interface Holding {
  readonly claimMs: number;
  readonly purpose?: Purpose;
  /** Changes the state in the very write that takes the record. */
  readonly also?: (state: RecordState) => RecordState;
  /** Whether the paid answer of a run that waits may be given up: nothing of it is written then. */
  readonly givesUp?: ((run: Run) => boolean) | undefined;
}

/**
 * Claims a record for work on it now. No worker enriches it meanwhile; a run that waited continues
 * afterwards.
 * @returns `busy` while a worker holds it, or an answer that was paid for waits to be written to it.
 */
export async function holdRecord(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'newId'>,
  { objectType, id }: RecordName,
  { claimMs, purpose = 'live', also, givesUp }: Holding,
): Promise<RecordClaim | 'busy' | 'forgotten'> {
  const nowMs = services.clock.now();
  const ids = { owner: services.newId(), runId: services.newId() };
  const claimed = await changeRecord(services, { objectType, id }, (state) => {
    const { run } = state;
    const isGivenUp = run?.answeredQuestion !== undefined && givesUp?.(run) === true;
    const open = isGivenUp ? { ...state, run: withoutAnswer(run) } : state;
    const arrival = { purpose: run?.purpose ?? purpose, eventKeys: [], claimMs, nowMs, ...ids };
    const taken = take(open, arrival);
    return taken.kind === 'claimed' && also ? { ...taken, state: also(taken.state) } : taken;
  });
  if (claimed.kind === 'forgotten') return 'forgotten';
  if (claimed.kind !== 'claimed') return 'busy';
  return { objectType, id, state: claimed.state, run: claimed.run };
}

/** Its earlier attempts to write are looked up, as those of a worker that is gone. */
function withoutAnswer(run: Run): Run {
  const { answeredQuestion: _, ...rest } = run;
  return lapsed(rest);
}

/** A run that was open already is taken over, and the next one is due for what it was to do. */
function take(state: RecordState, arrival: Arrival): Claim | { readonly kind: 'paid-for' | 'forgotten' } {
  const { run } = state;
  if (state.forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (run?.answeredQuestion !== undefined) return { kind: 'paid-for' };
  const claimed = arrive(state, arrival);
  if (claimed.kind !== 'claimed' || !run) return claimed;
  const { asked } = claimed.run;
  const { runsOpened } = claimed.state;
  // The next run serves its wishes.
  const held = movedWishes(claimed.state, { from: runsOpened, to: runsOpened + 1 });
  return { ...claimed, state: { ...held, again: { ...leading(claimed.run), ...(asked && { asked }) } } };
}
