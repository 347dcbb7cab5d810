import { unreachable } from '#shared/kernel/errors.ts';
import { changeRecord } from '#shared/records/change-record.ts';
import { defer, settle } from '#shared/records/transitions.ts';
import { namesOfFilled } from './filled.ts';
import type { EnrichmentServices, Held, HeldRecord, RunOutcome } from './services.ts';

type Services = Pick<EnrichmentServices, 'records' | 'clock' | 'newId' | 'policy'>;

/** Writes a run's outcome into the record's state, unless another worker holds the record by now. */
export async function settleRecord(
  services: Services,
  held: Held | HeldRecord,
  runOutcome: RunOutcome,
): Promise<void> {
  const owner = held.state.claim?.owner;
  await changeRecord(services, held, (state) => {
    if (state.claim?.owner !== owner) return {};
    const learned = { ...runOutcome.learned, filled: filledByOthers(services, held) };
    return { state: applyOutcome(services, { state, runOutcome: { ...runOutcome, learned } }) };
  });
}

/** Names of what the policy would write and somebody has: emptied later, it is not filled. */
function filledByOthers({ policy }: Services, held: Held | HeldRecord): string[] {
  if (!('record' in held)) return [];
  const { record, state } = held;
  const targets = new Set(policy.fields[held.objectType].map(({ property }) => property));
  return namesOfFilled(record).filter((name) => targets.has(name) && !Object.hasOwn(state.lastWritten, name));
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
