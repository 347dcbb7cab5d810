import { Button, Flex, Heading, Text } from '@hubspot/ui-extensions';
import { credits, grouped } from '../cards/words.ts';
import { DecisionResult, isBusy, useDecision } from './decision.tsx';
import type { HomeData, HomeWish, Waiting } from './home-service.ts';
import type { PageActions } from './page-actions.ts';

/**
 * Waiting records, with reason and end of the wait. Records that wait because of the reserve for leads have a button
 * to start them.
 */
export function WaitingSection({
  data,
  actions,
}: {
  readonly data: HomeData;
  readonly actions: PageActions;
}) {
  const { waiting } = data;
  return (
    <Flex direction="column" gap="xs">
      <Heading>Waiting</Heading>
      {waiting.length === 0 ? <Text>No record waits.</Text> : null}
      {waiting.map((one) => (
        <WaitingRow key={one.sentence} waiting={one} actions={actions} />
      ))}
    </Flex>
  );
}

function paidNow({ records, pays }: NonNullable<Waiting['admit']>): string {
  if (pays === undefined || pays >= records) return '';
  const first = pays === 0 ? 'may pay for none' : `pays for at least ${grouped(pays)}`;
  return ` At the highest price, the budget ${first} of the ${grouped(records)} now; the others wait until it resets.`;
}

function WaitingRow({
  waiting: { sentence, admit },
  actions,
}: {
  readonly waiting: Waiting;
  readonly actions: PageActions;
}) {
  const state = useDecision<HomeWish>(actions.pace, actions.onDecided);
  return (
    <Flex direction="column" gap="xs">
      <Text>{sentence}</Text>
      {admit === undefined ? null : (
        <Text>{`Starting them uses credits that are reserved for new leads.${paidNow(admit)}`}</Text>
      )}
      {admit === undefined ? null : (
        <Button
          size="sm"
          disabled={isBusy(state)}
          onClick={() => state.wish({ kind: 'admit', purpose: admit.purpose, maxCredits: admit.maxCredits })}
        >
          {`Start ${admit.records} now: at most ${credits(admit.maxCredits)}`}
        </Button>
      )}
      <DecisionResult state={state} />
    </Flex>
  );
}
