import { changeRecord } from '#shared/records/change-record.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { EnrichmentServices, Held } from '../services.ts';

/** Notes in the run what was answered and what it cost, before a write to HubSpot can change what would be asked. */
export async function noteAnswer(
  services: Pick<EnrichmentServices, 'records' | 'clock'>,
  held: Held,
  { questionKey, credits }: { questionKey: string; credits: number },
): Promise<void> {
  if (held.run.answeredQuestion === questionKey && held.run.credits === credits) return;
  const owner = held.state.claim?.owner;
  await changeRecord(services, held, (state): { state?: RecordState } => {
    if (!state.run || state.claim?.owner !== owner) return {};
    return { state: { ...state, run: { ...state.run, answeredQuestion: questionKey, credits } } };
  });
}
