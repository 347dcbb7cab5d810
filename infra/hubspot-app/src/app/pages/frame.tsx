import {
  Button,
  EmptyState,
  ErrorState,
  Flex,
  Link,
  LoadingSpinner,
  StatusTag,
  Text,
} from '@hubspot/ui-extensions';
import { PageHeader, PageLink, usePageRoute } from '@hubspot/ui-extensions/pages';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { SPEND_PAGE } from '../cards/address.ts';
import { Sure } from '../cards/answer.tsx';
import { BUTTONS, NOTES } from '../cards/words.ts';
import {
  DecisionResult,
  type DecisionState,
  isAwaitingReply,
  isDecided,
  PageSettings,
  useDecision,
} from './decision.tsx';
import type { HomeData, HomeWish, Need, ReviewItem, ReviewWish } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES } from './home-words.ts';
import { NamesProvider, recordOf } from './names.tsx';
import { type Figures, STALE_MS, useFigures } from './use-figures.ts';
import { type LeavingRows, useLeavingRows } from './use-leaving-rows.ts';

interface Page {
  readonly data: HomeData;
  readonly nowMs: number;
  /** Called after a decision. The page then reads its figures again. */
  readonly onDecided: () => void;
  readonly needs: LeavingRows<Need>;
  readonly findings: LeavingRows<ReviewItem>;
}

export function keyOfNeed(need: Need): string {
  if (need.kind === 'doubt') return `doubt ${need.doubt?.reservationId ?? need.record}`;
  if (need.kind === 'backfill') return `backfill ${need.backfillId} ${need.moves[0]}`;
  return `${need.kind} ${need.what} ${need.sinceMs}`;
}

export function keyOfFinding({ objectType, id, kind, sinceMs }: ReviewItem): string {
  return `${objectType}/${id}/${kind}/${sinceMs}`;
}

const PageContext = createContext<Page | undefined>(undefined);

/** The figures that all pages show. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A page is drawn inside the frame only.');
  return page;
}

/** Time for which a decided row says what happened. */
const SHOWN_MS = 10_000;

/**
 * Decides about a row of a list. The row stays until it has said what happened.
 * @param hasOffer whether the decided row offers another action. It then stays until a person closes it.
 */
export function useRowDecision<R, W extends HomeWish | ReviewWish>(
  rows: LeavingRows<R>,
  row: R,
  hasOffer = false,
): DecisionState<W> {
  const { onDecided } = usePage();
  const state = useDecision<W>((isDone) => {
    onDecided();
    if (isDone && !hasOffer) setTimeout(() => rows.leave(row), SHOWN_MS);
  });
  return {
    ...state,
    wish: (wish) => {
      if ('kind' in wish || wish.wish.kind !== 'preview') rows.keep(row);
      state.wish(wish);
    },
    dismiss: () => {
      if (isDecided(state)) rows.leave(row);
      else rows.release(row);
      state.dismiss();
    },
  };
}

const PLACES = [
  { path: '/', name: 'Home' },
  { path: '/rules', name: 'Rules' },
  { path: '/review', name: 'Review' },
  { path: '/activity', name: 'Activity' },
] as const;

/** Header, navigation and age of the figures, around each page. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { portalId } = useContext(PageSettings);
  const figures = useFigures();
  const { data: known, failure, nowMs, look, onDecided } = figures;
  const stored = typeof known === 'object' ? known : undefined;
  const needs = useLeavingRows(stored?.needs ?? [], keyOfNeed);
  const findings = useLeavingRows(stored?.review.items ?? [], keyOfFinding);
  const { path } = usePageRoute();
  if (failure !== undefined && !known)
    return (
      <ErrorState title={NOTES.noAnswer}>
        <Text>{failure}</Text>
        <Button onClick={look}>{BUTTONS.retry}</Button>
      </ErrorState>
    );
  if (known === undefined)
    return <LoadingSpinner label="Reading the figures" showLabel={true} layout="centered" />;
  if (!stored)
    return (
      <EmptyState title={PAGE_NOTES.nothingKnown} layout="vertical">
        <Text>The first figures appear a few minutes after the installation has started.</Text>
        <Button onClick={look}>{BUTTONS.look}</Button>
      </EmptyState>
    );
  const data = { ...stored, needs: needs.rows, review: { ...stored.review, items: findings.rows } };
  return (
    <PageContext.Provider value={{ data, nowMs, onDecided, needs, findings }}>
      <NamesProvider records={recordsOf(data)} portalId={portalId}>
        <Flex direction="column" gap="md">
          <Header data={data} onDecided={onDecided} />
          <Flex direction="row" gap="md" wrap={true}>
            {PLACES.map((place) =>
              place.path === path ? (
                <Text key={place.path} format={{ fontWeight: 'bold' }}>
                  {place.name}
                </Text>
              ) : (
                <PageLink key={place.path} to={place.path}>
                  {place.name}
                </PageLink>
              ),
            )}
            {SPEND_PAGE === '' ? null : <Link href={SPEND_PAGE}>Spend page</Link>}
          </Flex>
          <Age data={data} figures={figures} />
          {children}
        </Flex>
      </NamesProvider>
    </PageContext.Provider>
  );
}

function recordsOf({ needs, review, activity, claims }: HomeData) {
  const keys = [
    ...needs.flatMap((need) => (need.kind === 'doubt' ? [need.record] : [])),
    ...needs.flatMap((need) => (need.kind === 'backfill' ? need.examples : [])),
    ...needs.flatMap((need) => (need.kind === 'past-stop' ? need.waited.map(({ record }) => record) : [])),
    ...claims.map(({ record }) => record),
    ...review.items.flatMap(({ others }) => others),
    ...activity.map(({ record }) => record),
  ];
  return [...review.items, ...keys.flatMap((key) => recordOf(key) ?? [])];
}

function Age({ data, figures }: { readonly data: HomeData; readonly figures: Figures }) {
  const { nowMs, failure, isRenewing, renew } = figures;
  const ageMs = nowMs - data.atMs;
  const isLive = ageMs < STALE_MS;
  return (
    <Flex direction="row" gap="sm" wrap={true} align="center">
      <StatusTag variant={isLive ? 'success' : 'warning'}>
        {isLive ? PAGE_NOTES.live(ageMs) : PAGE_NOTES.old(ageMs)}
      </StatusTag>
      <Text variant="microcopy">{PAGE_NOTES.timeZone(data.timeZone)}</Text>
      <Button variant="transparent" size="xs" disabled={isRenewing} onClick={renew}>
        {isRenewing ? PAGE_BUTTONS.refreshing : PAGE_BUTTONS.refresh}
      </Button>
      {failure === undefined ? null : <Text variant="microcopy">{failure}</Text>}
    </Flex>
  );
}

/** Stops all spending, and resumes it. A stop asks first. */
function Header({ data, onDecided }: { readonly data: HomeData; readonly onDecided: () => void }) {
  const state = useDecision<HomeWish>(onDecided);
  const [isAsking, setAsking] = useState(false);
  const isStopped = data.needs.some((need) => need.kind === 'stop' && need.code === 'stopped-by-person');
  // A reply stays, also when the figures show the decision. Then the other decision can be made.
  const disabled = isAwaitingReply(state);
  return (
    <>
      <PageHeader>
        <PageHeader.PrimaryAction>
          <PageHeader.Link
            disabled={disabled}
            onClick={() => (isStopped ? state.wish({ kind: 'resume-spending' }) : setAsking(true))}
          >
            {isStopped ? PAGE_BUTTONS.resumeAll : PAGE_BUTTONS.stopAll}
          </PageHeader.Link>
        </PageHeader.PrimaryAction>
      </PageHeader>
      {isAsking ? (
        <Sure
          question="Stop all spending until a person resumes it? Stored answers are still used."
          yes="Yes, stop spending"
          disabled={disabled}
          onYes={() => state.wish({ kind: 'stop-spending' })}
          onEnd={() => setAsking(false)}
        />
      ) : null}
      <DecisionResult state={state} />
    </>
  );
}
