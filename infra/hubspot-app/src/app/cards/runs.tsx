import { Button, Flex, Heading, Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import type { CardRun, RunName, Wish } from './service.ts';
import { BUTTONS, credits, day, operationName } from './words.ts';

interface RunsProps {
  readonly runs: readonly CardRun[];
  readonly isBusy: boolean;
  readonly onWish: (wish: Wish) => void;
}

/**
 * The runs that wrote present values, newest first. Shows each run's reason and price, and the actions on all its
 * values.
 */
export function Runs({ runs, isBusy, onWish }: RunsProps) {
  return (
    <Flex direction="column" gap="sm">
      <Heading>Where the values came from</Heading>
      {runs.toReversed().map((run) => (
        <OneRun key={`${run.recordId} ${run.number}`} run={run} isBusy={isBusy} onWish={onWish} />
      ))}
    </Flex>
  );
}

function OneRun({ run, isBusy, onWish }: Omit<RunsProps, 'runs'> & { readonly run: CardRun }) {
  const [isSure, setSure] = useState(false);
  const { recordId, number, operation, answeredAtMs = run.atMs } = run;
  const name: RunName = { recordId, number };
  return (
    <Flex direction="column" gap="xs">
      <Text format={{ fontWeight: 'demibold' }}>
        {`${operationName(operation)}, answered ${day(answeredAtMs)}, ${credits(run.credits)}`}
      </Text>
      <Text>{run.reason}</Text>
      {isSure ? (
        <Flex direction="row" gap="sm" wrap={true}>
          <Text>
            Is this answer about another person or company? Its values are undone, and it is not used again.
          </Text>
          <Button
            size="xs"
            variant="destructive"
            disabled={isBusy}
            onClick={() => {
              setSure(false);
              onWish({ kind: 'wrong-match', run: name });
            }}
          >
            {BUTTONS.sureWrongMatch}
          </Button>
          <Button size="xs" onClick={() => setSure(false)}>
            {BUTTONS.no}
          </Button>
        </Flex>
      ) : (
        <Flex direction="row" gap="sm" wrap={true}>
          <Button size="xs" disabled={isBusy} onClick={() => onWish({ kind: 'undo', run: name })}>
            {BUTTONS.undoRun}
          </Button>
          <Button size="xs" disabled={isBusy || operation === undefined} onClick={() => setSure(true)}>
            {BUTTONS.wrongMatch}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}
