import {
  Box,
  Button,
  DescriptionList,
  DescriptionListItem,
  Divider,
  Flex,
  Heading,
  StatusTag,
  Text,
  Tile,
} from '@hubspot/ui-extensions';
import { PageLink } from '@hubspot/ui-extensions/pages';
import { Fragment, type ReactElement, useContext, useState } from 'react';
import type { RequestResult } from '../cards/answer.tsx';
import { ask, type CardRecord, show, type Wish } from '../cards/service.ts';
import { resultOf } from '../cards/use-record.ts';
import { useRequest } from '../cards/use-request.ts';
import { credits } from '../cards/words.ts';
import { BackfillButtons } from './backfills.tsx';
import { DecisionResult, type DecisionState, isBusy, isDecided, PageSettings } from './decision.tsx';
import { keyOfNeed, usePage, useRowDecision } from './frame.tsx';
import type { HomeWish, Need } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES, shareWords, shortTime } from './home-words.ts';
import { RecordLink, recordOf } from './names.tsx';
import { FindingList, groupSentence } from './review.tsx';
import { Row } from './row.tsx';

const KINDS = {
  stop: { word: 'Stop', variant: 'danger' },
  'past-stop': { word: 'Past stop', variant: 'danger' },
  doubt: { word: 'Unknown outcome', variant: 'warning' },
  backfill: { word: 'Approval', variant: 'info' },
  notice: { word: 'Notices due', variant: 'warning' },
} as const;

/** The present stops, and all open decisions, each in one row that opens in place. */
export function Inbox() {
  const { data } = usePage();
  const { review } = data;
  const stops = data.needs.filter(({ kind }) => kind === 'stop');
  const needs = data.needs.filter(({ kind }) => kind !== 'stop');
  const count = needs.length + review.items.length;
  const before = needs.filter(({ kind }) => kind !== 'backfill' && kind !== 'notice');
  const after = needs.filter((need) => !before.includes(need));
  const firstDoubt = needs.find(({ kind }) => kind === 'doubt');
  const rows = [
    ...before.map((need) => <NeedRow key={keyOfNeed(need)} need={need} isFirst={need === firstDoubt} />),
    ...(review.items.length === 0 ? [] : [<ReviewGroup key="review" />]),
    ...after.map((need) => <NeedRow key={keyOfNeed(need)} need={need} isFirst={false} />),
  ];
  return (
    <Flex direction="column" gap="sm">
      {stops.length === 0 ? null : (
        <>
          <Heading>{PAGE_NOTES.stops}</Heading>
          <Rows rows={stops.map((need) => <NeedRow key={keyOfNeed(need)} need={need} isFirst={false} />)} />
        </>
      )}
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>{PAGE_NOTES.needsDecision}</Heading>
        <Text variant="microcopy">
          {count === 0
            ? PAGE_NOTES.nothingToDecide
            : `${count}. Deciding is free unless a button names a price.`}
        </Text>
      </Flex>
      {count === 0 ? null : <Rows rows={rows} />}
    </Flex>
  );
}

function Rows({ rows }: { readonly rows: readonly ReactElement[] }) {
  return (
    <Tile compact={true}>
      {rows.map((row, index) => (
        <Fragment key={row.key}>
          {index === 0 ? null : <Divider />}
          {row}
        </Fragment>
      ))}
    </Tile>
  );
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
  const { data, nowMs, needs } = usePage();
  const [isOpen, setOpen] = useState(isFirst);
  const { kind, what, otherwise, sinceMs } = need;
  const time = (atMs: number) => shortTime(atMs, { nowMs, timeZone: data.timeZone });
  const doubt = kind === 'doubt' ? need : undefined;
  const record = recordOf(doubt?.record);
  const state = useRowDecision<Need, HomeWish>(needs, need, record !== undefined);
  return (
    <Row
      name={KINDS[kind].word.toLowerCase()}
      tag={<StatusTag variant={KINDS[kind].variant}>{KINDS[kind].word}</StatusTag>}
      sentence={
        <Flex direction="row" gap="xs" wrap={true}>
          {record ? <RecordLink record={record} /> : null}
          <Text>{what}</Text>
          {doubt?.fromMs === undefined ? null : <Text>{PAGE_NOTES.tooEarly(time(doubt.fromMs))}</Text>}
        </Flex>
      }
      date={sinceMs === undefined ? '' : time(sinceMs)}
      buttons={isDecided(state) ? undefined : <NeedButtons need={need} state={state} />}
      isOpen={isOpen || state.asked.kind !== 'nothing'}
      onToggle={() => setOpen(!isOpen)}
    >
      {need.kind === 'backfill' ? <ApprovalFacts need={need} /> : null}
      {need.kind === 'past-stop' ? <WaitedLeads need={need} /> : null}
      {'toDo' in need ? <Text>{need.toDo}</Text> : null}
      {otherwise === '' ? null : <Text variant="microcopy">{`Without a decision: ${otherwise}`}</Text>}
      <DecisionResult state={state} />
      {record && doubt?.credits && isDecided(state) ? (
        <LookUpAgain record={record} maxCredits={doubt.credits} />
      ) : null}
    </Row>
  );
}

/** The leads that waited because of a past stop, and the budget that would have been enough. */
function WaitedLeads({ need }: { readonly need: Extract<Need, { readonly kind: 'past-stop' }> }) {
  const { waited, leads, enoughCredits } = need;
  return (
    <Flex direction="column" gap="xs">
      {waited.flatMap(({ record: key, ms }) => {
        const record = recordOf(key);
        if (!record) return [];
        return (
          <Flex key={key} direction="row" gap="sm">
            <RecordLink record={record} />
            <Text>{PAGE_NOTES.waited(ms)}</Text>
          </Flex>
        );
      })}
      {leads > waited.length ? <Text>{PAGE_NOTES.more(leads - waited.length)}</Text> : null}
      {enoughCredits === undefined ? null : <Text>{PAGE_NOTES.enough(enoughCredits)}</Text>}
    </Flex>
  );
}

/** Looks the record of a decided request up again. Booking alone never does. */
function LookUpAgain({ record, maxCredits }: { readonly record: CardRecord; readonly maxCredits: number }) {
  const { pace } = useContext(PageSettings);
  const state = useRequest<Wish, RequestResult>(
    {
      send: (id, wish) => ask(record, id, wish),
      poll: async (id) => resultOf(await show(record, id)),
      onAnswered: () => undefined,
    },
    pace,
  );
  if (state.asked.kind !== 'nothing') return <DecisionResult state={state} />;
  return (
    <Box>
      <Button size="sm" onClick={() => state.wish({ kind: 'enrich', maxCredits })}>
        {PAGE_BUTTONS.lookUpAgain(maxCredits)}
      </Button>
    </Box>
  );
}

/** What a person should know before the approval: costs, the trial's results, and some of its records. */
function ApprovalFacts({ need }: { readonly need: Extract<Need, { readonly kind: 'backfill' }> }) {
  const { expectedCredits, atMostCredits, trial, examples, days } = need;
  const facts = [
    ['Expected cost', expectedCredits === undefined ? undefined : credits(expectedCredits)],
    ['Highest cost', atMostCredits === undefined ? undefined : credits(atMostCredits)],
    ['Covered by the budgets', days === undefined ? PAGE_NOTES.neverCovered : PAGE_NOTES.within(days)],
    ['Match rate of the trial', trial && shareWords(trial.matchRate)],
    ['Damage of the trial', trial && shareWords(trial.damage)],
  ].flatMap(([label = '', text]) => (text === undefined ? [] : [{ label, text }]));
  return (
    <Flex direction="column" gap="sm">
      <DescriptionList direction="row">
        {facts.map(({ label, text }) => (
          <DescriptionListItem key={label} label={label}>
            <Text>{text}</Text>
          </DescriptionListItem>
        ))}
      </DescriptionList>
      {examples.length === 0 ? null : (
        <Flex direction="row" gap="sm" wrap={true}>
          <Text>{PAGE_NOTES.examples}</Text>
          {examples
            .flatMap((key) => recordOf(key) ?? [])
            .map((record) => (
              <RecordLink key={record.id} record={record} />
            ))}
        </Flex>
      )}
    </Flex>
  );
}

function NeedButtons({ need, state }: { readonly need: Need; readonly state: DecisionState<HomeWish> }) {
  const disabled = isBusy(state);
  switch (need.kind) {
    case 'backfill':
      return <BackfillButtons backfill={need} state={state} />;
    case 'past-stop': {
      const { code, day, toMs } = need;
      return (
        <Button
          size="sm"
          disabled={disabled}
          onClick={() => state.wish({ kind: 'see-stop', code, day, toMs })}
        >
          {PAGE_BUTTONS.markSeen}
        </Button>
      );
    }
    case 'doubt': {
      const { doubt, credits: most = 0 } = need;
      if (!doubt) return null;
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
    default:
      return null;
  }
}
