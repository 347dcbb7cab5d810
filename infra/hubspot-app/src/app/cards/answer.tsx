import { Alert, Button, Flex, LoadingSpinner, Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import type { CardReply, CardStanding } from './service.ts';
import type { RequestState } from './use-request.ts';
import { BUTTONS, credits, NOTES, said } from './words.ts';

/** What a request led to: the end of a run, or a reply. */
export interface RequestResult {
  readonly standing?: CardStanding | undefined;
  readonly reply?: CardReply | undefined;
}

interface AnswerProps<W> {
  readonly state: Omit<RequestState<W, RequestResult>, 'wish'>;
  /** What the installation does meanwhile. */
  readonly underWay?: string;
  /** Credits charged for the record so far, when it was last read. */
  readonly spent?: number | undefined;
  readonly labelOf?: (property: string) => string;
  /** Time zone of the policy. */
  readonly timeZone?: string;
}

/** Shows the state of a person's last request. */
export function Answer<W>({
  state,
  underWay = 'Working on it',
  spent,
  labelOf = same,
  timeZone = 'UTC',
}: AnswerProps<W>) {
  const { asked, again, dismiss } = state;
  switch (asked.kind) {
    case 'nothing':
      return null;
    case 'under-way':
      return (
        <>
          <LoadingSpinner label={underWay} showLabel={true} />
          {asked.trouble === undefined ? null : <Text>{`${asked.trouble} ${NOTES.keepsAsking}`}</Text>}
        </>
      );
    case 'slow':
      return (
        <Alert title={NOTES.slow} variant="info">
          <Text>{asked.trouble ?? 'It takes longer than a minute.'}</Text>
          <Text>
            {`It continues without this page; nothing is paid twice.${spent === undefined ? '' : ` Charged for this record when last read: ${credits(spent)}.`}`}
          </Text>
          <Flex direction="row" gap="sm">
            <Button size="sm" onClick={again}>
              {BUTTONS.look}
            </Button>
            <Button size="sm" onClick={dismiss}>
              {BUTTONS.close}
            </Button>
          </Flex>
        </Alert>
      );
    case 'failed':
      return <Told title={NOTES.notAccepted} variant="error" lines={[asked.why]} onClose={dismiss} />;
    case 'answered': {
      const { standing, reply } = asked.result;
      if (reply) return <Replied reply={reply} labelOf={labelOf} onClose={dismiss} />;
      return standing ? <Ended standing={standing} timeZone={timeZone} onClose={dismiss} /> : null;
    }
  }
}

function same(property: string): string {
  return property;
}

interface Closable {
  readonly onClose: () => void;
}

interface EndedProps extends Closable {
  readonly standing: CardStanding;
  readonly timeZone: string;
}

function Ended({ standing, timeZone, onClose }: EndedProps) {
  const { word, variant, why } = said(standing, timeZone);
  const charged = standing.kind === 'ended' ? standing.outcome.credits : undefined;
  const paid = standing.kind === 'waiting' ? standing.credits : charged;
  const spent = paid === undefined ? '' : ` ${NOTES.charged(paid)}`;
  const shown = variant === 'default' ? 'info' : variant;
  return <Told title={word} variant={shown} lines={[`${why}${spent}`]} onClose={onClose} />;
}

interface RepliedProps extends Closable {
  readonly reply: CardReply;
  readonly labelOf: (property: string) => string;
}

function Replied({ reply, labelOf, onClose }: RepliedProps) {
  const stays = ({ property, reason }: { readonly property: string; readonly reason: string }) =>
    `${labelOf(property)} stays: ${reason}.`;
  switch (reply.kind) {
    // The button shows a price, and the finding shows values.
    case 'quoted':
    case 'previewed':
      return null;
    case 'refused':
      return <Told title="Not done" variant="warning" lines={[reply.reason]} onClose={onClose} />;
    case 'decided': {
      const lines = [reply.what, ...(reply.kept ?? []).map(stays)];
      return <Told title={NOTES.decided} variant="success" lines={lines} onClose={onClose} />;
    }
    case 'undone': {
      const title = NOTES.undone(reply.restored.length);
      return <Told title={title} variant="success" lines={reply.kept.map(stays)} onClose={onClose} />;
    }
  }
}

interface ToldProps extends Closable {
  readonly title: string;
  readonly variant: 'info' | 'success' | 'warning' | 'danger' | 'error';
  readonly lines: readonly string[];
}

function Told({ title, variant, lines, onClose }: ToldProps) {
  return (
    <Alert title={title} variant={variant}>
      {lines.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
      <Button size="xs" onClick={onClose}>
        {BUTTONS.close}
      </Button>
    </Alert>
  );
}

interface SureProps {
  /** The question to confirm. */
  readonly question: string;
  readonly yes: string;
  readonly disabled: boolean;
  readonly onYes: () => void;
}

interface SureButtonProps extends SureProps {
  readonly label: string;
}

/** A button for an action that cannot be undone. It asks a person to confirm. */
export function SureButton({ label, disabled, ...sure }: SureButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (isAsking) return <Sure {...sure} disabled={disabled} onEnd={() => setAsking(false)} />;
  return (
    <Button size="sm" disabled={disabled} onClick={() => setAsking(true)}>
      {label}
    </Button>
  );
}

/** The question before an action that cannot be undone, with both answers. */
export function Sure({ question, yes, disabled, onYes, onEnd }: SureProps & { readonly onEnd: () => void }) {
  return (
    <Flex direction="row" gap="sm" wrap={true} align="center">
      <Text>{question}</Text>
      <Button
        size="sm"
        variant="destructive"
        disabled={disabled}
        onClick={() => {
          onEnd();
          onYes();
        }}
      >
        {yes}
      </Button>
      <Button size="sm" onClick={onEnd}>
        {BUTTONS.no}
      </Button>
    </Flex>
  );
}
