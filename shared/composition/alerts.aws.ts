import { type AlertServices, createAlerts, toldKind, webhookProblem } from '#shared/alerts';
import { createWebhook } from '#shared/alerts/adapters';
import type { Send } from '#shared/http';
import { openItems, type Storage } from '#shared/versioned-items/adapters';

export interface AlertsSettings
  extends Storage<'rateLimiter'>,
    Omit<AlertServices, 'tell' | 'items' | 'clock'> {
  /** Where to send alerts; empty without a receiver. */
  readonly webhookUrl: string;
  readonly send: Send;
}

/** An address that may not be used is told in the log, and nothing is sent there. */
export function createAlerting({ webhookUrl, send, ...settings }: AlertsSettings): () => Promise<void> {
  const problem = webhookUrl === '' ? undefined : webhookProblem(webhookUrl);
  if (problem) settings.logger.error('alert-webhook-unusable', { reason: problem });
  const tell = webhookUrl === '' || problem ? undefined : createWebhook({ url: webhookUrl, send });
  const items = openItems(settings, toldKind);
  return createAlerts({ ...settings, tell, items });
}
