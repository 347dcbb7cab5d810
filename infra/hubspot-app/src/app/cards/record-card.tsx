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
import { FindingDecision } from './finding-decision.tsx';
import { Runs } from './runs.tsx';
import type { CardRecord, CardView } from './service.ts';
import { type CardState, useRecord } from './use-record.ts';
import { PACE, type PollPace } from './use-request.ts';
import { Values } from './values.tsx';
import { BUTTONS, credits, day, NOTES, QUEUED, said } from './words.ts';

export interface RecordCardProps {
  readonly record: CardRecord;
  /** Whether the card is in the sidebar, which is 352 px wide, too narrow for a table. */
  readonly isNarrow?: boolean;
  /** Called after values of the record have changed, so that HubSpot reads them again. */
  readonly onChange: () => void;
  /** How often the card polls for a request. For tests. */
  readonly pace?: PollPace;
}

/** The card of a record: its values and findings, and the actions that a person can request. */
export function RecordCard({ record, isNarrow = false, onChange, pace = PACE }: RecordCardProps) {
  const state = useRecord(record, onChange, pace);
  const { view, failure, look } = state;
  if (failure !== undefined && !view)
    return (
      <ErrorState title={NOTES.noAnswer}>
        <Text>{failure}</Text>
        <Button onClick={look}>{BUTTONS.retry}</Button>
      </ErrorState>
    );
  if (!view) return <LoadingSpinner label="Reading what is known" showLabel={true} layout="centered" />;
  return (
    <Flex direction="column" gap="md">
      <Status view={view} />
      <Answer state={state} />
      <Findings view={view} state={state} isNarrow={isNarrow} />
      <Known view={view} state={state} isNarrow={isNarrow} />
    </Flex>
  );
}

/** Findings of this record, each with its buttons. */
function Findings({ view, state, isNarrow }: KnownProps) {
  const { asked, wish } = state;
  const isBusy = asked.kind === 'under-way' || asked.kind === 'slow';
  const reply = asked.kind === 'answered' ? asked.result.reply : undefined;
  const shownFor =
    asked.kind === 'answered' && asked.wish.kind === 'preview' ? asked.wish.finding : undefined;
  return view.findings.map((finding) => (
    <FindingDecision
      key={`${finding.kind} ${finding.foundAtMs}`}
      finding={finding}
      values={reply?.kind === 'previewed' && shownFor === finding.kind ? reply.changes : undefined}
      isBusy={isBusy}
      isNarrow={isNarrow}
      onWish={wish}
    />
  ));
}

function Status({ view }: { readonly view: CardView }) {
  const { standing, isQueued, rule, creditsSpent, checkedAtMs, nextCheckAtMs } = view;
  const { word, variant, why } = isQueued ? QUEUED : said(standing);
  const checked = checkedAtMs === undefined ? '' : ` Last checked on ${day(checkedAtMs)}.`;
  const next = nextCheckAtMs === undefined ? '' : ` Next check due on ${day(nextCheckAtMs)}.`;
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant={variant}>{word}</StatusTag>
      {why === '' ? null : <Text>{why}</Text>}
      {rule === undefined ? null : <Text variant="microcopy">{NOTES.rule(rule)}</Text>}
      <Text variant="microcopy">{`${credits(creditsSpent)} in all.${checked}${next}`}</Text>
    </Flex>
  );
}

interface KnownProps {
  readonly view: CardView;
  readonly state: CardState;
  readonly isNarrow: boolean;
}

function Known({ view, state, isNarrow }: KnownProps) {
  const { asked } = state;
  const isBusy = asked.kind === 'under-way' || asked.kind === 'slow';
  const isHeld = view.standing.kind === 'under-way' && !view.isQueued;
  const quote = useCallback(() => state.wish({ kind: 'quote' }), [state]);
  const enrich = (
    <Button
      // If a request is shown above, its alert has the primary button.
      variant={asked.kind === 'nothing' ? 'primary' : 'secondary'}
      onClick={quote}
      disabled={isBusy || isHeld}
    >
      {BUTTONS.enrich}
    </Button>
  );
  if (view.standing.kind === 'forgotten') return null;
  if (view.values.length === 0)
    return (
      <EmptyState title={NOTES.nothingOurs} layout="vertical" flush={true}>
        <Text>Ask what enriching this record would cost: that is free.</Text>
        {enrich}
      </EmptyState>
    );
  return (
    <>
      {enrich}
      <Values values={view.values} runs={view.runs} {...{ isBusy, isNarrow }} onWish={state.wish} />
      <Divider />
      <Runs runs={view.runs} isBusy={isBusy} onWish={state.wish} />
    </>
  );
}
