import type { Purpose, RecordName } from '#shared/crm';
import {
  type Arrival,
  arrive,
  type Claim,
  changeRecord,
  lapsed,
  type RecordState,
  type Run,
} from '#shared/records';
import type { EnrichmentServices, RecordClaim } from './services.ts';

interface Holding {
  readonly claimMs: number;
  readonly purpose?: Purpose;
  /** Changes the state in the same write that claims the record. */
  readonly also?: (state: RecordState) => RecordState;
  /** Whether to give up the paid answer of a waiting run. Nothing of that answer is then written. */
  readonly givesUp?: ((run: Run) => boolean) | undefined;
}

/**
 * Claims a record for work outside its run. No worker enriches it meanwhile; a waiting run continues afterwards.
 * @returns `busy` if a worker holds it, or a paid answer waits to be written to it.
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
    const takeover = takeOver(open, arrival);
    return takeover.kind === 'claimed' && also ? { ...takeover, state: also(takeover.state) } : takeover;
  });
  if (claimed.kind === 'forgotten') return 'forgotten';
  if (claimed.kind !== 'claimed') return 'busy';
  return { objectType, id, state: claimed.state, run: claimed.run };
}

/** Drops the answer. The run counts as lapsed, so that its earlier writes are checked. */
function withoutAnswer(run: Run): Run {
  const { answeredQuestion: _, ...rest } = run;
  return lapsed(rest);
}

/**
 * Claims the record in place of its open run, which becomes a later run. If this worker stops, its run continues as any
 * other, so it may buy nothing.
 */
function takeOver(state: RecordState, arrival: Arrival): Claim | { readonly kind: 'paid-for' | 'forgotten' } {
  const { run, later = [] } = state;
  if (state.forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (run?.answeredQuestion !== undefined) return { kind: 'paid-for' };
  if (!run) return arrive(state, arrival);
  const { purpose, askedBy, lapses } = run;
  const own = {
    id: arrival.runId,
    purpose,
    askedBy,
    lapses,
    openedAtMs: arrival.nowMs,
    credits: 0,
    maxCredits: 0,
  };
  return arrive({ ...state, run: own, later: [...later, run] }, arrival);
}
