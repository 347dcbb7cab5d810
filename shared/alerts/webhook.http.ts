import type { Send } from '#shared/http';
import { type Logger, SECOND_MS, UpstreamError } from '#shared/kernel';
import type { Tell } from './alerts.ts';
import { webhookProblem } from './webhook-address.ts';

/** The timeout is short, because the sweep has other work to do. */
const TIMEOUT_MS = 3 * SECOND_MS;

/** Opens the receiver of alerts, if there is one. An address that cannot be used is logged, and gets no alert. */
export function openTell({
  webhookUrl: url,
  send,
  logger,
}: {
  /** Empty if no receiver is configured. */
  readonly webhookUrl: string;
  readonly send: Send;
  readonly logger: Logger;
}): Tell | undefined {
  if (url === '') return undefined;
  const problem = webhookProblem(url);
  if (problem) logger.error('alert-webhook-unusable', { reason: problem });
  return problem ? undefined : createWebhook({ url, send });
}

/**
 * Posts a text as JSON. Slack and similar services accept it as `text`. Workflows of Microsoft Teams accept only an
 * adaptive card. Follows no redirect.
 * @param url an address without a `webhookProblem`.
 */
function createWebhook({ url, send }: { readonly url: string; readonly send: Send }): Tell {
  const { hostname } = new URL(url);
  return async (text) => {
    const body = JSON.stringify(isTeams(hostname) ? cardOf(text) : { text });
    const headers = { 'content-type': 'application/json' };
    const { status } = await send({ method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS });
    if (status >= 200 && status < 300) return;
    const message = 'The webhook did not take the alert.';
    throw new UpstreamError({ code: `WEBHOOK_${status}`, message, retryable: true, status });
  };
}

/** Hosts of Power Automate that start a workflow. */
function isTeams(hostname: string): boolean {
  return /(?:^|\.)(?:logic\.azure\.com|powerplatform\.com)$/.test(hostname);
}

function cardOf(text: string) {
  const body = text.split('\n').map((line) => ({ type: 'TextBlock', text: line, wrap: true }));
  const $schema = 'http://adaptivecards.io/schemas/adaptive-card.json';
  const content = { $schema, type: 'AdaptiveCard', version: '1.4', body };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}
