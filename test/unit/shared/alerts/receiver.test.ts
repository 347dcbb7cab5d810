import { describe, expect, it } from 'vitest';
import type { StoredStatus } from '#inside/records/status/schemas.ts';
import { createAlerts, WEBHOOK_PROBLEMS } from '#shared/alerts';
import { openTell } from '#shared/alerts/adapters';
import { createStandInSend } from '../../../../infra/local/virtual/stand-in-send.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { openBooks, reserve } from '../credit-ledger/books.ts';

/** The alerts as the functions have them, over a store, with a chat that listens. */
async function alerting(webhookUrl: string) {
  const clock = createManualClock({ startMs: Date.parse('2026-11-18T12:00:00Z'), autoAdvance: true });
  const books = openBooks({ budgets: { perDay: 100 } });
  await books.append(reserve('a:1', { amountCredits: 60 }));
  const posts: string[] = [];
  const logs: string[] = [];
  const log = (event: string, fields?: object) => void logs.push(`${event} ${JSON.stringify(fields)}`);
  const handle = async (request: Request) => {
    posts.push(await request.text());
    return new Response('ok');
  };
  const logger = { info: log, warn: log, error: log };
  const send = createStandInSend({ clock, hosts: { 'hooks.slack.com': handle, '169.254.169.254': handle } });
  const services = {
    status: createMemoryItems<StoredStatus>(),
    clock,
    name: 'crm-2',
    dearestCredits: 6,
    timeZone: 'Europe/Berlin',
    ledger: books.ledger,
    breakers: { read: async () => ({ doubtsInRow: 0 }) },
    writeBreakers: { open: async () => undefined },
    checkBooks: async () => ({ problems: [] }),
    records: { list: async () => [] },
    logger,
  };
  return {
    tell: () => createAlerts({ ...services, tell: openTell({ webhookUrl, send, logger }) })(),
    posts,
    logs,
  };
}

describe('alerts with their receiver', () => {
  it('are told once, also by a function that was started anew, under the name of the installation', async () => {
    const { tell, posts, logs } = await alerting('https://hooks.slack.com/services/x');
    await tell();
    await tell();
    expect(posts).toEqual([expect.stringMatching(/^\{"text":"crm-2: /)]);
    expect(logs).toEqual([expect.stringMatching(/^alert-sent .*"budget-mark".*"total\/day"/)]);
  });

  it('go nowhere without an address', async () => {
    const { tell, posts, logs } = await alerting('');
    await tell();
    expect([posts, logs]).toEqual([[], []]);
  });

  it('go nowhere with an address that may not be used, and the log says why without quoting it', async () => {
    const { tell, posts, logs } = await alerting('https://169.254.169.254/latest');
    await tell();
    expect(posts).toEqual([]);
    expect(logs).toEqual([expect.stringContaining(WEBHOOK_PROBLEMS['own-network'])]);
    expect(logs.join()).not.toContain('169');
  });
});
