import { type GatewayServices, personsStopSentence } from '#shared/questions';
import { eventThatEnds } from '#shared/records';

/** The services that tell whether a person has stopped spending. */
export interface StopServices {
  readonly questions: { readonly breakers: Pick<GatewayServices['breakers'], 'read'> };
}

/** Says that a person has stopped spending, and what ends the stop. `undefined` while spending is not stopped. */
export async function spendingStop({ questions }: StopServices): Promise<string | undefined> {
  const { stopped } = await questions.breakers.read();
  return stopped && `${personsStopSentence(stopped)} ${buysNothingUntil('stopped-by-person')}`;
}

/** Says until when nothing is bought; `undefined` if the wait for this reason ends at its due time. */
export function buysNothingUntil(reason: string): string | undefined {
  const end = eventThatEnds(reason);
  return end && `Nothing is bought until ${end}.`;
}
