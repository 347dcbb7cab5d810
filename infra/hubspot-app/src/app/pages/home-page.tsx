import {
  Button,
  EmptyState,
  ErrorState,
  Flex,
  Heading,
  LoadingSpinner,
  StatusTag,
  Text,
} from '@hubspot/ui-extensions';
import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../cards/service.ts';
import { type HomeData, readHome } from './home-service.ts';
import { Activity, MonthSpend } from './home-spend.tsx';
import { localTime, REVIEW_WORDS } from './home-words.ts';

/** The app's home: decisions for a person, spend, waiting records, and the last charges. */
export function HomePage() {
  const [home, setHome] = useState<{ readonly data: HomeData | undefined }>();
  const [failure, setFailure] = useState<string>();
  const look = useCallback(() => {
    setFailure(undefined);
    readHome().then(
      (data) => setHome({ data }),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, []);
  useEffect(look, [look]);
  if (failure !== undefined && !home)
    return (
      <ErrorState title="The enrichment does not answer">
        <Text>{failure}</Text>
        <Button onClick={look}>Try again</Button>
      </ErrorState>
    );
  if (!home) return <LoadingSpinner label="Reading the home page" showLabel={true} layout="centered" />;
  if (!home.data)
    return (
      <EmptyState title="Nothing is known yet" layout="vertical">
        <Text>The first figures appear a few minutes after the installation has started.</Text>
        <Button onClick={look}>Look again</Button>
      </EmptyState>
    );
  return <Sections data={home.data} failure={failure} onLook={look} />;
}

interface SectionsProps {
  readonly data: HomeData;
  readonly failure: string | undefined;
  readonly onLook: () => void;
}

function Sections({ data, failure, onLook }: SectionsProps) {
  const { atMs, timeZone, waiting } = data;
  return (
    <Flex direction="column" gap="lg">
      <Flex direction="row" gap="sm" wrap={true}>
        <Text variant="microcopy">{`As of ${localTime(atMs, timeZone)}; renewed every 5 minutes.`}</Text>
        <Button size="xs" onClick={onLook}>
          Look again
        </Button>
      </Flex>
      {failure === undefined ? null : (
        <Text>{`This is the last known state: the installation did not answer. ${failure}`}</Text>
      )}
      <NeedsYou data={data} />
      <MonthSpend spend={data.spend} timeZone={timeZone} />
      <Flex direction="column" gap="xs">
        <Heading>Waiting</Heading>
        {waiting.length === 0 ? <Text>No record waits.</Text> : null}
        {waiting.map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
      </Flex>
      <Activity activity={data.activity} timeZone={timeZone} />
    </Flex>
  );
}

const NEEDS = {
  stop: { word: 'Stopped', variant: 'danger' },
  doubt: { word: 'In doubt', variant: 'warning' },
  backfill: { word: 'Backfill', variant: 'info' },
} as const;

function NeedsYou({ data }: { readonly data: HomeData }) {
  const { needs, review, timeZone } = data;
  const isNothing = needs.length === 0 && review.items.length === 0;
  return (
    <Flex direction="column" gap="sm">
      <Heading>Needs you</Heading>
      {isNothing ? <Text>Nothing needs a decision.</Text> : null}
      {needs.map(({ kind, what, otherwise, toDo, sinceMs }) => (
        <Flex key={`${kind} ${what}`} direction="column" gap="xs">
          <StatusTag variant={NEEDS[kind].variant}>{NEEDS[kind].word}</StatusTag>
          <Text format={{ fontWeight: 'demibold' }}>{what}</Text>
          {sinceMs === undefined ? null : <Text>{`Since ${localTime(sinceMs, timeZone)}.`}</Text>}
          <Text>{`Without a decision: ${otherwise}`}</Text>
          <Text>{toDo}</Text>
        </Flex>
      ))}
      {review.items.length === 0 ? null : <Review review={review} timeZone={timeZone} />}
    </Flex>
  );
}

function Review({ review, timeZone }: Pick<HomeData, 'review' | 'timeZone'>) {
  const { items, isMore, toDo } = review;
  const verb = items.length === 1 ? 'finding needs' : 'findings need';
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant="warning">Review</StatusTag>
      <Text format={{ fontWeight: 'demibold' }}>
        {`${isMore ? 'More than ' : ''}${items.length} ${verb} a decision.`}
      </Text>
      {items.map(({ objectType, id, kind, reason, sinceMs }) => (
        <Text key={`${objectType} ${id} ${kind}`}>
          {`${objectType === 'contacts' ? 'Contact' : 'Company'} ${id}. ${REVIEW_WORDS[kind] ?? 'Finding'}: ${reason.replace(/\.$/, '')}. Since ${localTime(sinceMs, timeZone)}.`}
        </Text>
      ))}
      <Text>Without a decision the records stay as they are. Deciding costs nothing.</Text>
      <Text>{toDo}</Text>
    </Flex>
  );
}
