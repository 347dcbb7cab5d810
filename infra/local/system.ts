import { openTell } from '#shared/alerts/adapters';
import { openApp } from '#shared/app';
import { type Lane, OBJECT_TYPES } from '#shared/crm';
import { type EnrichmentObserver, worstCaseOfRefresh } from '#shared/enrichment';
import { type Policy, propertiesOfRules } from '#shared/field-policy';
import type { Send } from '#shared/http';
import {
  type Clock,
  type Logger,
  MINUTE_MS,
  type NewId,
  type Random,
  type ReferenceClock,
} from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { viewSources } from '#shared/spend';
import type { Store } from '#shared/store';
import type { CountedQueue } from '#shared/work-queue';
import { createHandler as createEnrichHandler } from '../../functions/enrich-records/handler.ts';
import { createHandler as createReceiver } from '../../functions/receive-webhook/handler.ts';
import { createHandler as createReconciler } from '../../functions/reconcile/handler.ts';
import { createHandler as createRefresher } from '../../functions/refresh-stale/handler.ts';
import { createHandler as createSpendReporter } from '../../functions/report-spend/handler.ts';
import { createHandler as createServer } from '../../functions/serve-hubspot/handler.ts';
import { siteOf, type Vendors } from './vendors.ts';

export interface SystemSettings {
  readonly store: Store;
  readonly queues: Readonly<Record<Lane, CountedQueue>>;
  readonly vendors: Pick<Vendors, 'service' | 'dataService' | 'hubSpot' | 'clientSecret' | 'ownAppId'>;
  readonly policy: Policy;
  readonly installedAtMs: number;
  readonly installationSecret: string;
  readonly publicUrl: string;
  readonly send: Send;
  /** Absent with the stand-ins, which run on this machine. */
  readonly referenceClock?: ReferenceClock | undefined;
  /** Environment variables that commands need to find these tables; absent if they need none. */
  readonly environment?: string | undefined;
  /** URL for alerts about budgets, doubts and stops; empty for none. */
  readonly alertWebhookUrl: string;
  readonly logger: Logger;
  readonly observer: EnrichmentObserver;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
}

/** Timeout of the worker on Lambda. */
export const WORKER_TIMEOUT_MS = 5 * MINUTE_MS;

export type System = ReturnType<typeof createSystem>;

export function createSystem(settings: SystemSettings) {
  const { queues, vendors, policy, installedAtMs, observer, clock, random, newId, logger } = settings;
  const common = { clock, random, newId, logger };
  const services = openApp({
    ...settings,
    digest: createDigest(settings.installationSecret),
    dataService: vendors.dataService,
    hubSpot: vendors.hubSpot,
    portalId: vendors.hubSpot.portalId,
  });
  const sources = viewSources(services, {
    service: vendors.service,
    policy,
    clock,
    hubSpot: siteOf(vendors),
    environment: settings.environment,
  });
  return {
    services,
    receiveWebhook: createReceiver({
      queues,
      clientSecret: async () => vendors.clientSecret,
      publicUrl: settings.publicUrl,
      ownAppId: vendors.ownAppId,
      portalId: vendors.hubSpot.portalId,
      ruleProperties: OBJECT_TYPES.flatMap((type) => propertiesOfRules(policy, type).own),
      clock,
      logger,
    }),
    enrichRecords: createEnrichHandler({
      ...services,
      policy,
      installedAtMs,
      ownAppId: vendors.ownAppId,
      observer,
      home: { ...services, breakersInForce: services.breakers, policy, clock },
      ...common,
    }),
    refreshStale: createRefresher({
      ...services,
      policy,
      worstCaseCredits: (state) => worstCaseOfRefresh(state, policy),
      ...common,
    }),
    reconcile: createReconciler({
      ...services,
      breakersInForce: services.breakers,
      policy,
      queues,
      ownAppId: vendors.ownAppId,
      tell: openTell({ webhookUrl: settings.alertWebhookUrl, send: settings.send, logger }),
      name: 'crm-enrichment',
      installedAtMs,
      askerGraceMs: WORKER_TIMEOUT_MS,
      ...common,
    }),
    serveHubSpot: createServer({
      ...services,
      policy,
      queues,
      clientSecret: async () => vendors.clientSecret,
      publicUrl: settings.publicUrl,
      clock,
      logger,
    }),
    reportSpend: createSpendReporter({ ...sources, logger }),
  };
}
