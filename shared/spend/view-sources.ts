import type { OwnPortal } from '#shared/records';
import { type HubSpotSite, hubSpotPages } from './page/links.ts';
import type { StopSources } from './stops.ts';
import type { ViewSources } from './views.ts';

/** Stores behind the page, named as in the composition. */
interface SpendReaders
  extends Pick<ViewSources, 'spendBook' | 'ledger' | 'ledgerStore' | 'journal' | 'reviews' | 'bookedDoubts'>,
    Pick<ViewSources, 'backfills' | 'days'>,
    Pick<NonNullable<ViewSources['waiting']>, 'counted'>,
    StopSources {
  readonly records: ViewSources['states'];
  readonly portal: Pick<OwnPortal, 'known'>;
}

type About = Pick<ViewSources, 'service' | 'stack' | 'clock'> & {
  readonly hubSpot: HubSpotSite;
  readonly environment?: string | undefined;
  readonly policy: Pick<ViewSources, 'timeZone' | 'creditPrice'>;
};

/** Names the stores as the views of the page do. */
export function viewSources(
  readers: SpendReaders,
  { policy, hubSpot, environment, ...about }: About,
): ViewSources {
  const { timeZone, creditPrice } = policy;
  return {
    ...readers,
    states: readers.records,
    place: async () => {
      const portal = await readers.portal.known();
      return { stack: about.stack, environment, hubSpot: hubSpotPages(hubSpot, portal?.portalId) };
    },
    waiting: readers,
    stops: readers,
    timeZone,
    creditPrice,
    ...about,
  };
}
