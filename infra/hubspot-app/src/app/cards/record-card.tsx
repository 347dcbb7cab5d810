import {
  Button,
  Divider,
  EmptyState,
  ErrorState,
  Flex,
  LoadingSpinner,
  StatusTag,
  Text,
} from '@hubspot/ui-extensions';
import { useCallback } from 'react';
import { Answer } from './answer.tsx';
import { Runs } from './runs.tsx';
import type { CardRecord, CardView } from './service.ts';
import { type CardState, type PollPace, useRecord } from './use-record.ts';
import { Values } from './values.tsx';
import { credits, said } from './words.ts';

export interface RecordCardProps {
  readonly record: CardRecord;
  /** Values of the record have changed: HubSpot is to read them anew. */
  readonly onChange: () => void;
  /** How often it is asked how far a request is; for tests. */
  readonly pace?: PollPace;
}

/** What is known of a record, and what a person may ask for. */
export function RecordCard({ record, onChange, pace }: RecordCardProps) {
  const state = useRecord(record, onChange, pace);
  const { view, failure, look } = state;
  if (failure !== undefined && !view)
    return (
      <ErrorState title="The enrichment does not answer">
        <Text>{failure}</Text>
        <Button onClick={look}>Try again</Button>
      </ErrorState>
    );
  if (!view) return <LoadingSpinner label="Reading what is known" showLabel={true} layout="centered" />;
  return (
    <Flex direction="column" gap="md">
      <Status view={view} />
      <Answer state={state} />
      <Known view={view} state={state} />
    </Flex>
  );
}

function Status({ view }: { readonly view: CardView }) {
  const { standing, rule, creditsSpent, stillTrue } = view;
  const { word, variant, why } = said(standing);
  const trust =
    stillTrue === undefined ? '' : ` The last answer is still true with ${Math.round(stillTrue * 100)}%.`;
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant={variant}>{word}</StatusTag>
      {why === '' ? null : <Text>{why}</Text>}
      {rule === undefined ? null : <Text variant="microcopy">{`Rule: ${rule}`}</Text>}
      <Text variant="microcopy">{`${credits(creditsSpent)} in all.${trust}`}</Text>
    </Flex>
  );
}

function Known({ view, state }: { readonly view: CardView; readonly state: CardState }) {
  const isBusy = state.asked.kind === 'under-way';
  const quote = useCallback(() => state.wish({ kind: 'quote' }), [state]);
  const enrich = (
    <Button variant="primary" onClick={quote} disabled={isBusy || view.standing.kind === 'under-way'}>
      Enrich now
    </Button>
  );
  if (view.standing.kind === 'forgotten') return null;
  if (view.values.length === 0)
    return (
      <EmptyState title="No value here is ours" layout="vertical" flush={true}>
        <Text>Ask what enriching this record would cost: that is free.</Text>
        {enrich}
      </EmptyState>
    );
  return (
    <>
      {enrich}
      <Values values={view.values} runs={view.runs} isBusy={isBusy} onWish={state.wish} />
      <Divider />
      <Runs runs={view.runs} isBusy={isBusy} onWish={state.wish} />
    </>
  );
}
