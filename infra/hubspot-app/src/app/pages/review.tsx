import { Button, Checkbox, Divider, Flex, Text, Tile } from '@hubspot/ui-extensions';
import { Fragment, useRef, useState } from 'react';
import {
  FindingButtons,
  FindingDecision,
  FindingTag,
  findingSentence,
  usePreview,
} from '../cards/finding-decision.tsx';
import type { FindingWish } from '../cards/service.ts';
import { DecisionResult, isBusy } from './decision.tsx';
import { keyOfFinding, usePage, useRowDecision } from './frame.tsx';
import type { ReviewItem, ReviewWish } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES, shortTime } from './home-words.ts';
import { RecordLink, recordOf, useNameOf } from './names.tsx';
import { Row } from './row.tsx';

/** All findings that need a decision. */
export function FindingsPage() {
  const { data } = usePage();
  const { items, isMore, toDo } = data.review;
  if (items.length === 0) return <Text>{PAGE_NOTES.nothingToDecide}</Text>;
  return (
    <Flex direction="column" gap="sm">
      <Text>{groupSentence(items)}</Text>
      <Tile compact={true}>
        <FindingList items={items} />
      </Tile>
      {isMore ? <Text>{toDo}</Text> : null}
    </Flex>
  );
}

const GROUPS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  contradiction: ['answer about another person or company', 'answers about another person or company'],
  'job-change': ['job change', 'job changes'],
  duplicate: ['possible duplicate', 'possible duplicates'],
  association: ['company to associate', 'companies to associate'],
  proposal: ['proposal', 'proposals'],
};

/** `2 answers about another person or company, 1 job change.` */
export function groupSentence(items: readonly ReviewItem[]): string {
  const parts = Object.entries(GROUPS).flatMap(([kind, [one, more]]) => {
    const count = items.filter((item) => item.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  });
  return `${parts.join(', ')}.`;
}

type Decide = (wish: FindingWish) => void;

/** Findings of records in one row each. Ticked findings can be rejected together. */
export function FindingList({ items }: { readonly items: readonly ReviewItem[] }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const deciders = useRef(new Map<string, Decide>());
  const chosen = items.filter((item) => ticked.has(keyOfFinding(item)));
  return (
    <Flex direction="column" gap="xs">
      {items.map((item, index) => (
        <Fragment key={keyOfFinding(item)}>
          {index === 0 ? null : <Divider />}
          <ReviewRow
            item={item}
            isAlone={items.length === 1}
            isTicked={ticked.has(keyOfFinding(item))}
            onTick={(isTicked) => {
              const next = new Set(ticked);
              if (isTicked) next.add(keyOfFinding(item));
              else next.delete(keyOfFinding(item));
              setTicked(next);
            }}
            offer={(decide) => deciders.current.set(keyOfFinding(item), decide)}
          />
        </Fragment>
      ))}
      {items.length < 2 ? null : (
        <Flex direction="row" justify="end">
          <Button
            size="sm"
            disabled={chosen.length === 0}
            onClick={() => {
              for (const item of chosen)
                deciders.current.get(keyOfFinding(item))?.({
                  kind: 'reject',
                  finding: item.kind,
                  foundAtMs: item.sinceMs,
                });
              setTicked(new Set());
            }}
          >
            {PAGE_BUTTONS.rejectTicked(chosen.length)}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}

interface ReviewRowProps {
  readonly item: ReviewItem;
  /** A single item starts open. Several would hide the rest of the page. */
  readonly isAlone: boolean;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
  /** Passes the row's decision function to the list, so that ticked rows can be decided together. */
  readonly offer: (decide: Decide) => void;
}

function ReviewRow({ item, isAlone, isTicked, onTick, offer }: ReviewRowProps) {
  const { data, nowMs, findings } = usePage();
  const state = useRowDecision<ReviewItem, ReviewWish>(findings, item);
  const [isOpen, setOpen] = useState(isAlone);
  const { objectType, id, kind, reason, others, sinceMs, hasAnswer } = item;
  const record = { objectType, id };
  const name = useNameOf()(record);
  const decide: Decide = (wish) => state.wish({ record, wish });
  offer(decide);
  const { asked } = state;
  const reply = asked.kind === 'answered' ? asked.result.reply : undefined;
  const preview = usePreview(reply);
  const isDecided = reply?.kind === 'decided';
  const isReading = asked.kind === 'under-way' && asked.request.wish.wish.kind === 'preview';
  const finding = { kind, reason, foundAtMs: sinceMs, hasAnswer };
  const shown = { finding, objectType, isBusy: isBusy(state), onWish: decide };
  return (
    <Row
      name={name}
      tag={
        <Flex direction="row" gap="sm" align="center">
          <Checkbox
            name={keyOfFinding(item)}
            checked={isTicked}
            readOnly={shown.isBusy}
            onChange={onTick}
            aria-label={`Tick ${name}`}
          />
          <RecordLink record={record} />
        </Flex>
      }
      sentence={
        <Flex direction="row" gap="xs" align="center" wrap={true}>
          <FindingTag finding={finding} objectType={objectType} />
          <Text>{findingSentence(finding, preview)}</Text>
          {others
            .flatMap((key) => recordOf(key) ?? [])
            .map((other) => (
              <RecordLink key={other.id} record={other} />
            ))}
        </Flex>
      }
      date={shortTime(sinceMs, { nowMs, timeZone: data.timeZone })}
      {...(isOpen || isDecided ? {} : { buttons: <FindingButtons {...shown} isQuiet={true} /> })}
      isOpen={isOpen || isDecided || asked.kind === 'failed'}
      onToggle={() => setOpen(!isOpen)}
    >
      {isDecided ? null : (
        <FindingDecision {...shown} preview={preview} isNarrow={false} isReading={isReading} />
      )}
      {isReading ? null : <DecisionResult state={state} />}
    </Row>
  );
}
