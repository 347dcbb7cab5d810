import { describe, expect, it } from 'vitest';
import { ALERT_TEXTS, type AlertCode, WEBHOOK_PROBLEMS, webhookProblem } from '#shared/alerts';
import { openTell } from '#shared/alerts/adapters';
import type { HttpRequest } from '#shared/http';
import { textFaults } from '../../../harness/catalogue.ts';

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.slack.com/services/T0/B0/x',
    'https://default1.1f.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1',
    'https://chat.example.com./hooks/x',
  ])('may be %s', (url) => {
    expect(webhookProblem(url)).toBeUndefined();
  });

  it.each<[string, keyof typeof WEBHOOK_PROBLEMS]>([
    ['http://hooks.slack.com/services/x', 'not-https'],
    ['file:///etc/passwd', 'not-https'],
    ['https://user:word@hooks.slack.com/x', 'with-password'],
    ['https://169.254.169.254/latest/meta-data', 'own-network'],
    ['https://0xa9fea9fe/', 'own-network'],
    ['https://[::1]/x', 'own-network'],
    ['https://localhost/x', 'own-network'],
    ['https://metadata.google.internal/x', 'own-network'],
    ['https://intranet/x', 'own-network'],
  ])('may not be %s', (url, why) => {
    expect(webhookProblem(url)).toBe(WEBHOOK_PROBLEMS[why]);
  });
});

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

it('gets no alert where it may not be used, and the log says why without quoting it', () => {
  const logs: string[] = [];
  const log = (event: string, fields?: object) => void logs.push(`${event} ${JSON.stringify(fields)}`);
  const send = () => Promise.reject(new Error('Nothing may be sent.'));
  const logger = { ...SILENT, error: log };
  expect(openTell({ webhookUrl: 'https://169.254.169.254/latest', send, logger })).toBeUndefined();
  expect(logs).toEqual([expect.stringContaining(WEBHOOK_PROBLEMS['own-network'])]);
  expect(logs.join()).not.toContain('169');
});

describe('a message', () => {
  async function bodyFor(url: string): Promise<unknown> {
    const sent: HttpRequest[] = [];
    const send = async (request: HttpRequest) => {
      sent.push(request);
      return { status: 200, headers: {}, body: 'ok', receivedAtMs: 0 };
    };
    await openTell({ webhookUrl: url, send, logger: SILENT })?.('one\ntwo');
    expect(sent).toMatchObject([{ method: 'POST', url, timeoutMs: 3_000 }]);
    return JSON.parse(sent[0]?.body ?? '');
  }

  it('is a text for Slack and those like it', async () => {
    expect(await bodyFor('https://hooks.slack.com/services/x')).toEqual({ text: 'one\ntwo' });
    expect(await bodyFor('https://chat.example.com/logic.azure.com')).toEqual({ text: 'one\ntwo' });
  });

  it.each(['https://prod-07.westeurope.logic.azure.com/x', 'https://1.environment.api.powerplatform.com/x'])(
    'is an adaptive card for a workflow of Teams at %s',
    async (url) => {
      expect(await bodyFor(url)).toMatchObject({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              body: [
                { type: 'TextBlock', text: 'one' },
                { type: 'TextBlock', text: 'two' },
              ],
            },
          },
        ],
      });
    },
  );
});

it('every alert is told in a sentence, and what to do in another', () => {
  const place = { stack: 'crm', timeZone: 'UTC' };
  for (const code of Object.keys(ALERT_TEXTS) as AlertCode[]) {
    const { example, seen, advice } = ALERT_TEXTS[code];
    const texts = [seen, advice].map((text) => text(example as never, place)).filter((text) => text !== '');
    expect(texts.flatMap(textFaults), code).toEqual([]);
  }
});
