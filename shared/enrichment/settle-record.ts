import { unreachable } from '../kernel/errors.ts';
import { changeRecord } from '../records/change-record.ts';
import { defer, settle } from '../records/transitions.ts';
import type { Ending, EnrichmentDeps, Held } from './deps.ts';

type Deps = Pick<EnrichmentDeps, 'records' | 'clock' | 'newId'>;

/** Writes a run's ending into the record's state, unless another worker holds the record by now. */
export async function settleRecord(deps: Deps, held: Held, ending: Ending): Promise<void> {
  const owner = held.state.claim?.owner;
  await changeRecord(deps.records, held, (state) => {
    if (state.claim?.owner !== owner) return {};
    return { state: applyEnding(deps, { state, ending }) };
  });
}

function applyEnding(deps: Deps, { state, ending }: { state: Held['state']; ending: Ending }) {
  switch (ending.kind) {
    case 'outcome': {
      const { outcome: kind, reason, credits, learned } = ending;
      const outcome = { kind, reason, credits, atMs: deps.clock.now() };
      return settle(state, { outcome, learned, nextRunId: deps.newId() });
    }
    case 'deferred':
      return defer(state, ending);
    default:
      return unreachable(ending);
  }
}
