import { Alert, Button, Flex, LoadingSpinner, Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import type { DecisionReply } from '../cards/service.ts';
import { type PollPace, type RequestState, useRequest } from '../cards/use-request.ts';
import { BUTTONS, NOTES } from '../cards/words.ts';
import { type HomeWish, type ReviewWish, readDecision, sendDecision } from './home-service.ts';

export type DecisionState<W> = RequestState<W, DecisionReply>;

/** Sends the decisions of one row, one at a time, and polls for the replies. */
export function useDecision<W extends HomeWish | ReviewWish>(
  pace: PollPace,
  onDecided: () => void,
): DecisionState<W> {
  const calls = {
    send: sendDecision,
    poll: readDecision,
    onAnswered: (wish: W) => {
      if (!('record' in wish && wish.wish.kind === 'preview')) onDecided();
    },
  };
  return useRequest<W, DecisionReply>(calls, pace);
}

/** Shows the state of the decision. */
export function DecisionResult<W>({ state }: { readonly state: DecisionState<W> }) {
  const { asked, again, dismiss } = state;
  switch (asked.kind) {
    case 'nothing':
      return null;
    case 'under-way':
      return (
        <>
          <LoadingSpinner label="Working on it" showLabel={true} />
          {asked.trouble === undefined ? null : (
            <Text>{`${asked.trouble} The page keeps asking; nothing is decided twice.`}</Text>
          )}
        </>
      );
    case 'slow':
      return (
        <Alert title={NOTES.slow} variant="info">
          <Text>{`${asked.trouble ?? 'It takes longer than a minute.'} It continues without this page.`}</Text>
          <Button size="sm" onClick={again}>
            {BUTTONS.look}
          </Button>
        </Alert>
      );
    case 'failed':
      return (
        <Alert title={NOTES.notAccepted} variant="error">
          <Text>{asked.why}</Text>
          <Button size="sm" onClick={dismiss}>
            {BUTTONS.close}
          </Button>
        </Alert>
      );
    case 'answered':
      return <Replied reply={asked.result} onClose={dismiss} />;
  }
}

function Replied({ reply, onClose }: { readonly reply: DecisionReply; readonly onClose: () => void }) {
  if (reply.kind === 'previewed') return null;
  if (reply.kind === 'refused')
    return (
      <Alert title="Not done" variant="warning">
        <Text>{reply.reason}</Text>
        <Button size="sm" onClick={onClose}>
          {BUTTONS.close}
        </Button>
      </Alert>
    );
  return (
    <Alert title="Decided" variant="success">
      <Text>{reply.what}</Text>
      {reply.kept?.map(({ property, reason }) => (
        <Text key={property}>{`${property} stays: ${reason}.`}</Text>
      ))}
    </Alert>
  );
}

/** Whether the row accepts no decision now, because it is decided or a decision is in progress. */
export function isBusy<W>({ asked }: DecisionState<W>): boolean {
  if (asked.kind === 'under-way' || asked.kind === 'slow') return true;
  return asked.kind === 'answered' && asked.result.kind === 'decided';
}

interface SureButtonProps {
  readonly label: string;
  /** The question to confirm. */
  readonly question: string;
  readonly yes: string;
  readonly disabled: boolean;
  readonly onYes: () => void;
}

/** A button for an action that cannot be undone. It asks a person to confirm. */
export function SureButton({ label, question, yes, disabled, onYes }: SureButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button size="sm" disabled={disabled} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  return (
    <Flex direction="row" gap="sm" wrap={true}>
      <Text>{question}</Text>
      <Button
        size="sm"
        variant="destructive"
        disabled={disabled}
        onClick={() => {
          setAsking(false);
          onYes();
        }}
      >
        {yes}
      </Button>
      <Button size="sm" onClick={() => setAsking(false)}>
        {BUTTONS.no}
      </Button>
    </Flex>
  );
}
