import type { LedgerStore } from '#shared/credit-ledger';
import type { OwnPortal } from '#shared/records';
import type { StopSources } from './stops.ts';
import type { ViewSources } from './views.ts';

/** Stores behind the page, named as in the composition. */
interface SpendReaders
  extends Pick<ViewSources, 'spendBook' | 'ledger' | 'journal' | 'reviews' | 'openDoubts' | 'bookedDoubts'>,
    Pick<ViewSources, 'backfills' | 'dailyYield' | 'stopDays'>,
    Pick<NonNullable<ViewSources['waiting']>, 'counted'>,
    StopSources {
  readonly ledgerStore: LedgerStore;
  readonly records: ViewSources['states'];
  readonly portal: Pick<OwnPortal, 'known'>;
}

type About = Pick<ViewSources, 'service' | 'stack' | 'clock'> & {
  readonly policy: Pick<ViewSources, 'timeZone' | 'creditPrice'>;
};

/** Names the stores as the views of the page do. */
export function viewSources(
  readers: SpendReaders,
  { policy, ...about }: About,
): ViewSources & Pick<SpendReaders, 'ledgerStore'> {
  const { timeZone, creditPrice } = policy;
  return {
    ...readers,
    states: readers.records,
    portalId: async () => (await readers.portal.known())?.portalId,
    waiting: readers,
    stops: readers,
    timeZone,
    creditPrice,
    ...about,
  };
}
