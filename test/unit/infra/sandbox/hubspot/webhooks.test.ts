import { describe, expect, it } from 'vitest';
import type { SandboxSettings } from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { signV3 } from '../../../../../infra/sandbox/hubspot/webhooks.ts';
import { born, openAccount, settled } from './account.ts';
import { createReceiver } from './receiver.ts';

const URL = 'https://hooks.example.com/hubspot';
const HOUR = 3_600_000;

function listening(settings: Partial<SandboxSettings> = {}, seed = 7) {
  const receiver = createReceiver();
  const account = openAccount({ settings: { webhookUrl: URL, ...settings }, send: receiver.send, seed });
  return { account, receiver, deliver: () => account.sandbox.deliverWebhooks() };
}

const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
const url = 'https://www.example.com/webhook_uri';
const body = "{'example_field':'example_value'}";

it.each([
  [1_693_657_560_000, 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y='],
  [1_700_000_300_000, 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw='],
])('signatures v3 at %d is the published one', (timestamp, expected) => {
  expect(signV3({ secret, method: 'POST', url, body, timestamp })).toBe(expected);
});

describe('delivery', () => {
  it.each([400, 503])('is tried again after a %d, with the next attempt number', async (status) => {
    const { account, receiver, deliver } = listening();
    await born(account, 'company', {});
    receiver.answers.push(status);
    expect(await deliver()).toMatchObject({ delivered: 0, failed: 1, pending: 1 });
    expect(await deliver()).toMatchObject({ requests: 0, pending: 1 });
    await account.clock.advance(HOUR);
    expect(await deliver()).toMatchObject({ delivered: 1, pending: 0 });
    const [first, second] = receiver.events();
    expect([first?.attemptNumber, second?.attemptNumber]).toEqual([0, 1]);
    expect(second?.eventId).toBe(first?.eventId);
    expect(second?.occurredAt).toBe(first?.occurredAt);
  });

  it('gives up after ten retries, within 24 hours and not before 12', async () => {
    const { account, receiver, deliver } = listening();
    await born(account, 'company', {});
    receiver.answers.push(...Array.from({ length: 20 }, () => 500));
    const start = account.clock.now();
    let droppedAfter = 0;
    for (let minute = 0; minute < 30 * 60 && droppedAfter === 0; minute += 1) {
      const { dropped } = await deliver();
      if (dropped === 1) droppedAfter = account.clock.now() - start;
      await account.clock.advance(60_000);
    }
    expect(receiver.events().map((event) => event.attemptNumber)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(droppedAfter).toBeGreaterThan(12 * HOUR);
    expect(droppedAfter).toBeLessThanOrEqual(24 * HOUR);
  });

  it('takes no answer within five seconds, and a failed connection, for a refusal', async () => {
    const { account, receiver, deliver } = listening();
    await born(account, 'company', {});
    receiver.answers.push(
      () => new Promise(() => {}),
      () => Promise.reject(new Error('reset')),
    );
    const delivery = deliver();
    await settled();
    await account.clock.advance(5_000);
    expect(await delivery).toMatchObject({ failed: 1, pending: 1 });
    expect(receiver.requests[0]?.signal.aborted).toBe(true);
    await account.clock.advance(HOUR);
    expect(await deliver()).toMatchObject({ failed: 1, pending: 1 });
  });

  it('sends some events twice and in another order when told', async () => {
    const { account, receiver, deliver } = listening({ duplicateRate: 1, outOfOrder: true });
    for (let index = 0; index < 20; index += 1) await born(account, 'company', {});
    await deliver();
    await account.clock.advance(10_000);
    await deliver();
    const ids = receiver.events().map((event) => event.objectId);
    expect(ids).toHaveLength(40);
    expect(new Set(receiver.events().map((event) => event.eventId)).size).toBe(20);
    expect(ids).not.toEqual([...ids].sort((left, right) => left - right));
  });

  it('repeats a creation on request with the same event id and the next attempt number', async () => {
    const { account, receiver, deliver } = listening();
    const id = await born(account, 'contact', {});
    for (let round = 0; round < 3; round += 1) {
      await deliver();
      expect((await account.person('redeliver', { objectType: 'contact', id })).status).toBe(202);
    }
    const numbers = receiver.events().map((event) => event.attemptNumber);
    expect(numbers).toEqual([0, 1, 2]);
    expect(new Set(receiver.events().map((event) => event.eventId)).size).toBe(1);
    expect((await account.person('redeliver', { objectType: 'contact', id: '1' })).status).toBe(404);
  });

  it('goes on after a restart with what was saved, under way or not', async () => {
    const { account, receiver, deliver } = listening();
    await born(account, 'company', { name: 'Acme' });
    receiver.answers.push(() => new Promise(() => {}));
    void deliver();
    await settled();
    const saved = JSON.parse(JSON.stringify(account.sandbox.state()));
    const after = createReceiver();
    const settings = { webhookUrl: 'https://other.example/hook' };
    const reopened = openAccount({ clock: account.clock, send: after.send, saved, settings });
    expect(await reopened.sandbox.deliverWebhooks()).toMatchObject({ delivered: 1, pending: 0 });
    expect(after.requests[0]?.url).toBe('https://other.example/hook');
    const { records } = (await reopened.call('GET', '/_sandbox/records?kind=company')).body;
    expect(records[0]?.properties['name']).toBe('Acme');
    expect(() => openAccount({ saved: { nonsense: true } })).toThrow();
  });
});

describe('the delivery loop', () => {
  it('sends what belongs together after a short while, and retries when they are due', async () => {
    const { account, receiver } = listening();
    const stop = new AbortController();
    const running = account.sandbox.startWebhooks(stop.signal);
    await born(account, 'company', {});
    await born(account, 'company', {});
    await settled();
    expect(receiver.deliveries).toHaveLength(0);
    receiver.answers.push(500);
    await account.clock.advance(200);
    expect(receiver.deliveries.map((events) => events.length)).toEqual([2]);
    await account.clock.advance(HOUR);
    const attempts = () => receiver.events().map((event) => event.attemptNumber);
    expect(attempts()).toEqual([0, 0, 1, 1]);
    stop.abort();
    await running;
    await born(account, 'company', {});
    await account.clock.advance(HOUR);
    expect(attempts()).toHaveLength(4);
  });

  it('starts when it learns where to send to', async () => {
    const { account, receiver } = listening({ webhookUrl: null });
    const stop = new AbortController();
    const running = account.sandbox.startWebhooks(stop.signal);
    await born(account, 'company', {});
    await account.clock.advance(HOUR);
    expect(receiver.deliveries).toHaveLength(0);
    await account.settings({ webhookUrl: URL });
    await account.clock.advance(200);
    await account.clock.advance(200);
    expect(receiver.deliveries).toHaveLength(1);
    stop.abort();
    await running;
  });
});
