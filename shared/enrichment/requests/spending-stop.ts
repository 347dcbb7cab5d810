import { type GatewayServices, personsStopSentence } from '#shared/questions';

/** The services that tell whether a person has stopped spending. */
export interface StopServices {
  readonly questions: { readonly breakers: Pick<GatewayServices['breakers'], 'read'> };
}

/** Says that a person has stopped spending, and what ends the stop. `undefined` while spending is not stopped. */
export async function spendingStop({ questions }: StopServices): Promise<string | undefined> {
  const { stopped } = await questions.breakers.read();
  return stopped && `${personsStopSentence(stopped)} Nothing is bought until a person resumes spending.`;
}
