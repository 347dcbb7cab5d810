import { Button, Flex, Heading, Text } from '@hubspot/ui-extensions';
import { DecisionResult, isBusy, useDecision } from './decision.tsx';
import type { HomeData, HomeWish, Waiting } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES } from './home-words.ts';
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
        <Text>{`Starting them uses credits that are reserved for new leads.${PAGE_NOTES.paidNow(admit.records, admit.pays ?? admit.records)}`}</Text>
      )}
      {admit === undefined ? null : (
        <Button
          size="sm"
          disabled={isBusy(state)}
          onClick={() => state.wish({ kind: 'admit', purpose: admit.purpose, maxCredits: admit.maxCredits })}
        >
          {PAGE_BUTTONS.admit(admit.records, admit.maxCredits)}
        </Button>
      )}
      <DecisionResult state={state} />
    </Flex>
  );
}
