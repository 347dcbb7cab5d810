import { Button, Divider, Flex, Heading, StatusTag, Text, Tile } from '@hubspot/ui-extensions';
import { PageLink } from '@hubspot/ui-extensions/pages';
import { Fragment, useContext, useState } from 'react';
import { BackfillButtons } from './backfills.tsx';
import { DecisionResult, type DecisionState, isBusy, useDecision } from './decision.tsx';
import { PageSettings, usePage } from './frame.tsx';
import type { HomeWish, Need } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES, shortTime } from './home-words.ts';
import { RecordLink, recordOf } from './names.tsx';
import { FindingList, groupSentence } from './review.tsx';
import { Row } from './row.tsx';

const KINDS = {
  stop: { word: 'Stop', variant: 'danger' },
  doubt: { word: 'Unknown outcome', variant: 'warning' },
  backfill: { word: 'Approval', variant: 'info' },
  notice: { word: 'Notices due', variant: 'warning' },
} as const;

/** All open decisions, each in one row that opens in place. */
export function Inbox() {
  const { data } = usePage();
  const { needs, review } = data;
  const count = needs.length + review.items.length;
  const before = needs.filter(({ kind }) => kind === 'stop' || kind === 'doubt');
  const after = needs.filter((need) => !before.includes(need));
  const firstDoubt = needs.find(({ kind }) => kind === 'doubt');
  const rows = [
    ...before.map((need) => <NeedRow key={keyOf(need)} need={need} isFirst={need === firstDoubt} />),
    ...(review.items.length === 0 ? [] : [<ReviewGroup key="review" />]),
    ...after.map((need) => <NeedRow key={keyOf(need)} need={need} isFirst={false} />),
  ];
  return (
    <Flex direction="column" gap="sm">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>{PAGE_NOTES.needsDecision}</Heading>
        <Text variant="microcopy">
          {count === 0
            ? PAGE_NOTES.nothingToDecide
            : `${count}. Deciding is free unless a button names a price.`}
        </Text>
      </Flex>
      {count === 0 ? null : (
        <Tile compact={true}>
          {rows.map((row, index) => (
            <Fragment key={row.key}>
              {index === 0 ? null : <Divider />}
              {row}
            </Fragment>
          ))}
        </Tile>
      )}
    </Flex>
  );
}

function keyOf(need: Need): string {
  if (need.kind === 'doubt') return `doubt ${need.doubt?.reservationId}`;
  return need.kind === 'backfill'
    ? `backfill ${need.backfillId} ${need.moves[0]}`
    : `${need.kind} ${need.what}`;
}

function ReviewGroup() {
  const { data } = usePage();
  const { items, isMore } = data.review;
  const [isOpen, setOpen] = useState(true);
  return (
    <Row
      name="the review"
      tag={<StatusTag variant="warning">{`Review ${items.length}${isMore ? ' or more' : ''}`}</StatusTag>}
      sentence={<Text>{groupSentence(items)}</Text>}
      date=""
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      <FindingList items={items.slice(0, SHOWN_ITEMS)} />
      {items.length > SHOWN_ITEMS || isMore ? <PageLink to="/review">All of the review</PageLink> : null}
    </Row>
  );
}

/** More items are on the page of the review. */
const SHOWN_ITEMS = 5;

function NeedRow({ need, isFirst }: { readonly need: Need; readonly isFirst: boolean }) {
  const { data, nowMs, onDecided } = usePage();
  const { pace } = useContext(PageSettings);
  const state = useDecision<HomeWish>(pace, onDecided);
  const [isOpen, setOpen] = useState(isFirst);
  const { kind, what, otherwise, sinceMs } = need;
  const record = kind === 'doubt' ? recordOf(need.record) : undefined;
  return (
    <Row
      name={KINDS[kind].word.toLowerCase()}
      tag={<StatusTag variant={KINDS[kind].variant}>{KINDS[kind].word}</StatusTag>}
      sentence={
        <Flex direction="row" gap="xs" wrap={true}>
          {record ? <RecordLink record={record} /> : null}
          <Text>{what}</Text>
        </Flex>
      }
      date={sinceMs === undefined ? '' : shortTime(sinceMs, { nowMs, timeZone: data.timeZone })}
      buttons={<NeedButtons need={need} state={state} />}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {'toDo' in need ? <Text>{need.toDo}</Text> : null}
      <Text variant="microcopy">{`Without a decision: ${otherwise}`}</Text>
      <DecisionResult state={state} />
    </Row>
  );
}

function NeedButtons({ need, state }: { readonly need: Need; readonly state: DecisionState<HomeWish> }) {
  const disabled = isBusy(state);
  if (need.kind === 'backfill') return <BackfillButtons backfill={need} />;
  if (need.kind === 'stop')
    return need.byPerson ? (
      <Button size="sm" disabled={disabled} onClick={() => state.wish({ kind: 'resume-spending' })}>
        {PAGE_BUTTONS.resumeAll}
      </Button>
    ) : null;
  if (need.kind === 'notice' || !need.doubt) return null;
  const { doubt, credits: most = 0 } = need;
  const decide = (charged: boolean) => state.wish({ kind: 'resolve-doubt', ...doubt, charged });
  return (
    <Flex direction="row" gap="sm" wrap={true}>
      <Button size="sm" disabled={disabled} onClick={() => decide(true)}>
        {PAGE_BUTTONS.charged(most)}
      </Button>
      <Button size="sm" disabled={disabled} onClick={() => decide(false)}>
        {PAGE_BUTTONS.notCharged}
      </Button>
    </Flex>
  );
}
