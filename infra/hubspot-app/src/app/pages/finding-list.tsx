import { Button, Checkbox, Flex, Link, StatusTag, Text } from '@hubspot/ui-extensions';
import { useRef, useState } from 'react';
import { FindingDecision } from '../cards/finding-decision.tsx';
import type { FindingWish } from '../cards/service.ts';
import { DecisionResult, isBusy, SureButton, useDecision } from './decision.tsx';
import type { HomeData, ReviewItem, ReviewWish } from './home-service.ts';
import { recordHref, recordWord } from './home-words.ts';
import type { PageActions } from './page-actions.ts';

interface ReviewListProps {
  readonly review: HomeData['review'];
  readonly timeZone: string;
  readonly actions: PageActions;
}

type Decide = (wish: FindingWish) => void;

/** Findings of records, each with its values and buttons. Ticked findings are decided together. */
export function FindingList({ review, timeZone, actions }: ReviewListProps) {
  const { items, isMore, toDo } = review;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const deciders = useRef(new Map<string, Decide>());
  const verb = items.length === 1 ? 'finding needs' : 'findings need';
  const chosen = items.filter((item) => ticked.has(keyOf(item)));
  const decideAll = (kind: 'accept' | 'reject') => {
    for (const item of chosen)
      deciders.current.get(keyOf(item))?.({ kind, finding: item.kind, foundAtMs: item.sinceMs });
    setTicked(new Set());
  };
  return (
    <Flex direction="column" gap="sm">
      <StatusTag variant="warning">Review</StatusTag>
      <Text format={{ fontWeight: 'demibold' }}>
        {`${isMore ? 'More than ' : ''}${items.length} ${verb} a decision.`}
      </Text>
      <Text>Without a decision the records stay as they are. Deciding costs nothing.</Text>
      {items.map((item) => (
        <ReviewRow
          key={keyOf(item)}
          item={item}
          timeZone={timeZone}
          actions={actions}
          isTicked={ticked.has(keyOf(item))}
          onTick={(isTicked) => {
            const next = new Set(ticked);
            if (isTicked) next.add(keyOf(item));
            else next.delete(keyOf(item));
            setTicked(next);
          }}
          offer={(decide) => deciders.current.set(keyOf(item), decide)}
        />
      ))}
      {items.length < 2 ? null : (
        <Flex direction="row" gap="sm" wrap={true}>
          <SureButton
            label={`Accept the ${chosen.length} ticked`}
            question={`Write all values that the answers offer to ${chosen.length === 1 ? '1 record' : `${chosen.length} records`}? Values of people stay.`}
            yes="Yes, write them"
            disabled={chosen.length === 0}
            onYes={() => decideAll('accept')}
          />
          <Button size="sm" disabled={chosen.length === 0} onClick={() => decideAll('reject')}>
            {`Reject the ${chosen.length} ticked`}
          </Button>
        </Flex>
      )}
      {isMore ? <Text>{toDo}</Text> : null}
    </Flex>
  );
}

function keyOf({ objectType, id, kind, sinceMs }: ReviewItem): string {
  return `${objectType}/${id}/${kind}/${sinceMs}`;
}

interface ReviewRowProps {
  readonly item: ReviewItem;
  readonly timeZone: string;
  readonly actions: PageActions;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
  /** Passes the row's decision function to the list, so that ticked rows can be decided together. */
  readonly offer: (decide: Decide) => void;
}

function ReviewRow({ item, timeZone, actions, isTicked, onTick, offer }: ReviewRowProps) {
  const state = useDecision<ReviewWish>(actions.pace, actions.onDecided);
  const { objectType, id, kind, reason, sinceMs, hasAnswer } = item;
  const decide: Decide = (wish) => state.wish({ record: { objectType, id }, wish });
  offer(decide);
  const { asked } = state;
  const previewed =
    asked.kind === 'answered' && asked.result.kind === 'previewed' ? asked.result.changes : undefined;
  const busy = isBusy(state);
  return (
    <Flex direction="column" gap="xs">
      <Flex direction="row" gap="sm" wrap={true}>
        <Checkbox
          name={keyOf(item)}
          checked={isTicked}
          readOnly={busy}
          onChange={onTick}
          aria-label={`Tick ${recordWord(item)}`}
        />
        <Link href={recordHref(item, actions.portalId)}>{recordWord(item)}</Link>
      </Flex>
      {asked.kind === 'answered' && asked.result.kind === 'decided' ? null : (
        <FindingDecision
          finding={{ kind, reason, foundAtMs: sinceMs, hasAnswer }}
          values={previewed}
          isBusy={busy}
          isNarrow={false}
          timeZone={timeZone}
          onWish={decide}
        />
      )}
      <DecisionResult state={state} />
    </Flex>
  );
}
