import type { Purpose, RecordName } from '#shared/crm';
import {
  type Arrival,
  arrive,
  type Claim,
  changeRecord,
  movedWishes,
  type RecordState,
} from '#shared/records';
import type { EnrichmentServices, RecordClaim } from './services.ts';

/**
 * Takes a record for something that a person wants done to it now. Nobody enriches it meanwhile; a run that waited goes
 * on afterwards.
 * @returns `busy` while a worker holds it, or an answer that was paid for waits to be written to it.
 */
export async function holdRecord(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'newId'>,
  { objectType, id }: RecordName,
  { claimMs, purpose = 'live' }: { readonly claimMs: number; readonly purpose?: Purpose },
): Promise<RecordClaim | 'busy' | 'forgotten'> {
  const nowMs = services.clock.now();
  const ids = { owner: services.newId(), runId: services.newId() };
  const claimed = await changeRecord(services, { objectType, id }, (state) =>
    take(state, { purpose: state.run?.purpose ?? purpose, eventKeys: [], claimMs, nowMs, ...ids }),
  );
  if (claimed.kind === 'forgotten') return 'forgotten';
  if (claimed.kind !== 'claimed') return 'busy';
  return { objectType, id, state: claimed.state, run: claimed.run };
}

/** A run that was open already is taken over, and the next one is due for what it was to do. */
function take(state: RecordState, arrival: Arrival): Claim | { readonly kind: 'paid-for' | 'forgotten' } {
  const { run } = state;
  if (state.forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (run?.answeredQuestion !== undefined) return { kind: 'paid-for' };
  const claimed = arrive(state, arrival);
  if (claimed.kind !== 'claimed' || !run) return claimed;
  const { purpose, asked } = claimed.run;
  const { runsOpened } = claimed.state;
  // The next run serves its wishes.
  const held = movedWishes(claimed.state, { from: runsOpened, to: runsOpened + 1 });
  return { ...claimed, state: { ...held, again: { purpose, ...(asked && { asked }) } } };
}
