import { Button, Flex, Heading, Text } from '@hubspot/ui-extensions';
import { localTime } from '../cards/words.ts';
import { DecisionResult, isBusy, SureButton, useDecision } from './decision.tsx';
import type { HomeData, HomeWish } from './home-service.ts';
import { PAGE_BUTTONS } from './home-words.ts';
import type { PageActions } from './page-actions.ts';

/** Stops all spending, and resumes it. */
export function SpendingSwitch({
  data,
  actions,
}: {
  readonly data: HomeData;
  readonly actions: PageActions;
}) {
  const state = useDecision<HomeWish>(actions.pace, actions.onDecided);
  const { stopped, timeZone } = data;
  const disabled = isBusy(state);
  return (
    <Flex direction="column" gap="xs">
      <Heading>Stop all spending</Heading>
      <Text>
        {stopped === undefined
          ? 'No new request is sent while spending is stopped. Stored answers are still used.'
          : `${stopped.what} Since ${localTime(stopped.sinceMs, timeZone)}.`}
      </Text>
      {stopped === undefined ? (
        <SureButton
          label="Stop all spending"
          question="Stop all spending until a person resumes it?"
          yes="Yes, stop spending"
          disabled={disabled}
          onYes={() => state.wish({ kind: 'stop-spending' })}
        />
      ) : (
        <Button size="sm" disabled={disabled} onClick={() => state.wish({ kind: 'resume-spending' })}>
          {PAGE_BUTTONS.resumeAll}
        </Button>
      )}
      <DecisionResult state={state} />
    </Flex>
  );
}
