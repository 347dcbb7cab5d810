import { unreachable } from '#shared/kernel/errors.ts';
import { changeRecord } from '#shared/records/change-record.ts';
import { defer, settle } from '#shared/records/transitions.ts';
import type { EnrichmentServices, Held, RunOutcome } from './services.ts';

type Services = Pick<EnrichmentServices, 'records' | 'clock' | 'newId'>;

/** Writes a run's outcome into the record's state, unless another worker holds the record by now. */
export async function settleRecord(services: Services, held: Held, runOutcome: RunOutcome): Promise<void> {
  const owner = held.state.claim?.owner;
  await changeRecord(services, held, (state) => {
    if (state.claim?.owner !== owner) return {};
    return { state: applyOutcome(services, { state, runOutcome }) };
  });
}

function applyOutcome(
  services: Services,
  { state, runOutcome }: { state: Held['state']; runOutcome: RunOutcome },
) {
  switch (runOutcome.kind) {
    case 'outcome': {
      const { outcome: kind, reason, credits, learned } = runOutcome;
      const outcome = { kind, reason, credits, atMs: services.clock.now() };
      return settle(state, { outcome, learned, nextRunId: services.newId() });
    }
    case 'deferred':
      return defer(state, runOutcome);
    default:
      return unreachable(runOutcome);
  }
}
