import { type AlertServices, createAlerts, webhookProblem } from '#shared/alerts';
import { createWebhook } from '#shared/alerts/adapters';
import type { Send } from '#shared/http';
import { createStatus } from '#shared/records/adapters';
import type { Storage } from '#shared/store';

export interface AlertsSettings extends Storage, Omit<AlertServices, 'tell' | 'status' | 'clock'> {
  /** Address for alerts; empty if no receiver is configured. */
  readonly webhookUrl: string;
  readonly send: Send;
}

/** Creates the alerts. If the address is unusable, this is logged, and no alert is sent. */
export function createAlerting({ webhookUrl, send, ...settings }: AlertsSettings): () => Promise<void> {
  const problem = webhookUrl === '' ? undefined : webhookProblem(webhookUrl);
  if (problem) settings.logger.error('alert-webhook-unusable', { reason: problem });
  const tell = webhookUrl === '' || problem ? undefined : createWebhook({ url: webhookUrl, send });
  const status = createStatus(settings);
  return createAlerts({ ...settings, tell, status });
}
