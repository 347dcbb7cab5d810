import { resolveDoubt } from '#shared/questions/resolve-doubt.ts';
import type { ReconcileServices } from './services.ts';

/** Where the policy says so, doubts of a certain age count as charged. Never as not charged: only a person knows that. */
export async function resolveOldDoubts(services: ReconcileServices): Promise<number> {
  const { doubtsChargedAfterMs, questions, clock, askerGraceMs } = services;
  if (doubtsChargedAfterMs === undefined) return 0;
  let resolved = 0;
  for (const { state, questionKey, atMs } of await questions.ledger.openReservations()) {
    if (state !== 'doubtful' || clock.now() < atMs + doubtsChargedAfterMs) continue;
    const resolution = { questionKey, charged: true, note: 'by policy, for its age' };
    const result = await resolveDoubt(questions, resolution, { graceMs: askerGraceMs });
    if (result.kind === 'resolved') resolved += 1;
  }
  return resolved;
}
