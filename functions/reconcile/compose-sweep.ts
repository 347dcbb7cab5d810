import { type AlertServices, createAlerts } from '#shared/alerts';
import { cheapestQuestion, dearestCredits } from '#shared/enrichment';
import { advanceBackfills } from '#shared/extensions/backfill';
import { archiveOnce } from '#shared/extensions/policy-change';
import { expireValues } from '#shared/extensions/take-back';
import type { Policy } from '#shared/field-policy';
import { type HomeServices, keepHome } from '#shared/home';
import { HOUR_MS } from '#shared/kernel';
import { createHubSpotGauges, type Metrics, readGauges } from '#shared/metrics';
import type { SpendBook } from '#shared/spend';
import { meterAudits } from './metered.ts';
import type { ReconcileServices } from './services.ts';

/** Made here from the parts of the app. */
type Composed =
  | 'cheapestCredits'
  | 'dearestCredits'
  | 'advanceBackfills'
  | 'expireValues'
  | 'archivePolicy'
  | 'projectSpend'
  | 'keepHome'
  | 'reportGauges'
  | 'reportHubSpotGauges'
  | 'sendAlerts'
  | 'doubtsChargedAfterMs';

export interface SweepParts extends Omit<ReconcileServices, Composed> {
  readonly backfills: Parameters<typeof advanceBackfills>[0]['backfills'];
  readonly members: Parameters<typeof advanceBackfills>[0]['members'];
  readonly ledger: Parameters<typeof readGauges>[0]['ledger'] &
    HomeServices['ledger'] &
    AlertServices['ledger'];
  readonly ledgerStore: HomeServices['ledgerStore'];
  readonly spendBook: SpendBook;
  readonly journal: Parameters<typeof expireValues>[0]['journal'];
  readonly together: Parameters<typeof expireValues>[0]['together'];
  readonly reviews: HomeServices['reviews'] & Parameters<typeof expireValues>[0]['reviews'];
  readonly policies: Parameters<typeof archiveOnce>[0]['policies'];
  readonly digest: Parameters<typeof createHubSpotGauges>[0]['digest'] &
    Parameters<typeof archiveOnce>[0]['digest'];
  readonly homes: HomeServices['homes'];
  readonly days: HomeServices['days'];
  readonly openDoubts: HomeServices['openDoubts'];
  readonly counted: Parameters<typeof readGauges>[0]['counted'];
  readonly indexLagMs: Parameters<typeof readGauges>[0]['indexLagMs'];
  readonly writeBreakers: Parameters<typeof readGauges>[0]['writeBreakers'];
  /** The breakers as people see them. */
  readonly breakersInForce: SweepParts['breakers'];
  readonly tell: AlertServices['tell'];
  /** Name of the installation in alerts. */
  readonly name: string;
  /** The stack that the commands in the home page's texts name; absent on one machine. */
  readonly stack?: string | undefined;
  readonly policy: Policy;
  readonly ownAppId?: string | undefined;
  /** If absent, no gauges are read. */
  readonly metrics?: Metrics | undefined;
}

/** Composes the sweep's services from the parts of the app. */
export function composeSweep(parts: SweepParts): ReconcileServices {
  const { policy, metrics, breakers } = parts;
  const { doubtsChargedAfterHours, timeZone } = policy;
  const priced = { ...parts, timeZone, dearestCredits: dearestCredits(policy) };
  const hubSpotGauges = createHubSpotGauges(parts);
  return {
    ...priced,
    ...(metrics && meterAudits(parts, metrics)),
    breakers,
    cheapestCredits: cheapestQuestion(policy),
    advanceBackfills: () => advanceBackfills(parts),
    expireValues: () => expireValues(parts),
    archivePolicy: archiveOnce(parts, policy),
    projectSpend: parts.spendBook.project,
    keepHome: () => keepHome(parts),
    reportGauges: async () => metrics?.emit(await readGauges(priced)),
    reportHubSpotGauges: async () => metrics?.emit(await hubSpotGauges()),
    sendAlerts: createAlerts(priced),
    doubtsChargedAfterMs: doubtsChargedAfterHours && doubtsChargedAfterHours * HOUR_MS,
  };
}
