import type { LedgerStore } from '#shared/credit-ledger';
import type { OwnPortal } from '#shared/records';
import type { StopSources } from './stops.ts';
import type { ViewSources } from './views.ts';

/** The stores behind the page, by the names that the composition gives them. */
interface SpendReaders
  extends Pick<ViewSources, 'spendBook' | 'ledger' | 'journal' | 'reviews' | 'bookedDoubts'>,
    Pick<ViewSources, 'backfills' | 'dailyBrought' | 'stopDays'>,
    Pick<NonNullable<ViewSources['waiting']>, 'counted'>,
    StopSources {
  readonly ledgerStore: LedgerStore;
  readonly records: ViewSources['states'];
  readonly portal: Pick<OwnPortal, 'known'>;
}

type About = Pick<ViewSources, 'service' | 'stack' | 'clock'> & {
  readonly policy: Pick<ViewSources, 'timeZone' | 'creditPrice'>;
};

/** All that the page shows of an installation. */
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
