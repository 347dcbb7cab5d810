import { Button, EmptyState, ErrorState, Flex, LoadingSpinner, Text } from '@hubspot/ui-extensions';
import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../cards/service.ts';
import { PACE, type PollPace } from '../cards/use-request.ts';
import { BUTTONS, localTime, NOTES } from '../cards/words.ts';
import { type HomeData, readHome } from './home-service.ts';
import { Activity, MonthSpend } from './home-spend.tsx';
import { PAGE_NOTES } from './home-words.ts';
import { NeedsYou } from './needs-you.tsx';
import type { PageActions } from './page-actions.ts';
import { SpendingSwitch } from './spending-switch.tsx';
import { WaitingSection } from './waiting-section.tsx';

export interface HomePageProps {
  readonly portalId?: number | undefined;
  /** How often the page polls. For tests. */
  readonly pace?: PollPace;
}

/** Time after which the page is read again after a decision. The sweep stores new data within 2 minutes. */
const RENEWED_MS = 75_000;

/** The app's home: decisions for a person, spend, waiting records, and the last charges. */
export function HomePage({ portalId, pace = PACE }: HomePageProps) {
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
  // A decision shows its own reply at once. The other parts of the page change after the next sweep.
  const [decidedAtMs, setDecidedAtMs] = useState<number>();
  useEffect(() => {
    if (decidedAtMs === undefined) return undefined;
    const timer = setTimeout(look, RENEWED_MS);
    return () => clearTimeout(timer);
  }, [decidedAtMs, look]);
  if (failure !== undefined && !home)
    return (
      <ErrorState title={NOTES.noAnswer}>
        <Text>{failure}</Text>
        <Button onClick={look}>{BUTTONS.retry}</Button>
      </ErrorState>
    );
  if (!home) return <LoadingSpinner label="Reading the home page" showLabel={true} layout="centered" />;
  if (!home.data)
    return (
      <EmptyState title={PAGE_NOTES.nothingKnown} layout="vertical">
        <Text>The first figures appear a few minutes after the installation has started.</Text>
        <Button onClick={look}>{BUTTONS.look}</Button>
      </EmptyState>
    );
  const actions = { pace, portalId, onDecided: () => setDecidedAtMs(Date.now()) };
  return <Sections data={home.data} failure={failure} actions={actions} onLook={look} />;
}

interface SectionsProps {
  readonly data: HomeData;
  readonly failure: string | undefined;
  readonly actions: PageActions;
  readonly onLook: () => void;
}

function Sections({ data, failure, actions, onLook }: SectionsProps) {
  const { atMs, timeZone } = data;
  return (
    <Flex direction="column" gap="lg">
      <Flex direction="row" gap="sm" wrap={true}>
        <Text variant="microcopy">{`As of ${localTime(atMs, timeZone)}. ${PAGE_NOTES.timeZone(timeZone)} Renewed every 5 minutes and within 2 minutes after a decision.`}</Text>
        <Button size="xs" onClick={onLook}>
          {BUTTONS.look}
        </Button>
      </Flex>
      {failure === undefined ? null : <Text>{`${PAGE_NOTES.lastKnown} ${failure}`}</Text>}
      <NeedsYou data={data} actions={actions} />
      <MonthSpend spend={data.spend} timeZone={timeZone} />
      <WaitingSection data={data} actions={actions} />
      <Activity activity={data.activity} timeZone={timeZone} portalId={actions.portalId} />
      <SpendingSwitch
        // The other button starts without the former decision.
        key={data.stopped === undefined ? 'spending' : 'stopped'}
        data={data}
        actions={actions}
      />
    </Flex>
  );
}
