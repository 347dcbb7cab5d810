import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signWebhook, verifyWebhookSignature } from '#shared/hubspot';
import {
  createDesk,
  delivery,
  event,
  NOW_MS,
  PUBLIC_URL,
  signedV1,
} from '../../unit/functions/receive-webhook/deliveries.ts';

const BODY = JSON.stringify([event()]);

it('trap 02: the app is a project app with webhooks; the signatures of legacy ones take a setting', async () => {
  const app = (path: string) => JSON.parse(readFileSync(`infra/hubspot-app/${path}`, 'utf8'));
  expect(app('hsproject.json').platformVersion).toBe('2026.09');
  expect(app('src/app/app-hsmeta.json')).toMatchObject({ type: 'app', config: { distribution: 'private' } });
  expect(app('src/app/webhooks/webhooks-hsmeta.json').type).toBe('webhooks');
  expect((await createDesk().receive(signedV1(BODY))).statusCode).toBe(401);
  expect((await createDesk({ allowV1: true }).receive(signedV1(BODY))).statusCode).toBe(200);
});

it('trap 03: the access token is no key: only what the client secret signed is taken', async () => {
  const token = 'pat-eu1-generated-for-this-test';
  const { receive, queued } = createDesk();
  expect((await receive(delivery({ body: BODY, secret: token }))).statusCode).toBe(401);
  expect((await receive(delivery({ body: BODY }))).statusCode).toBe(200);
  expect(queued().length).toBe(1);
});

it.each([false, true])('trap 04: the bytes that came are verified, base64 %j', async (base64) => {
  const { receive } = createDesk();
  const spaced = `[ ${JSON.stringify(event({ note: 'é' })).replace('é', '\\u00e9')}\n]`;
  expect((await receive(delivery({ body: spaced, base64 }))).statusCode).toBe(200);
  const rewritten = JSON.stringify(JSON.parse(spaced));
  const text = base64 ? Buffer.from(rewritten).toString('base64') : rewritten;
  expect((await receive({ ...delivery({ body: spaced, base64 }), body: text })).statusCode).toBe(401);
});

it('trap 05: the configured address is signed, not the one behind the gateway', async () => {
  const { receive } = createDesk();
  const seen = { host: 'abc123.execute-api.eu-central-1.amazonaws.com', 'x-forwarded-proto': 'http' };
  const request = delivery({ body: BODY });
  const behindGateway = { ...request, rawPath: '/prod/hubspot', headers: { ...request.headers, ...seen } };
  expect((await receive(behindGateway)).statusCode).toBe(200);
});

it('trap 06: twelve escapes of the address are decoded and no other', () => {
  const decoded = {
    publicUrl: 'https://hooks.example/a%3Ab%40c%20d%2Bé?x=%28y%29%25',
    signs: 'a:b@c%20d%2Bé?x=(y)%25',
  };
  const text = `POSThttps://hooks.example/${decoded.signs}${BODY}${NOW_MS}`;
  const signature = createHmac('sha256', 'secret').update(text).digest('base64');
  const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(NOW_MS) };
  const request = { method: 'POST', rawBody: BODY, clientSecret: 'secret', headers, nowMs: NOW_MS };
  expect(verifyWebhookSignature({ ...request, publicUrl: decoded.publicUrl }).kind).toBe('valid');
  const whole = decodeURIComponent(decoded.publicUrl.replace('%25', '%2525'));
  expect(verifyWebhookSignature({ ...request, publicUrl: whole }).kind).toBe('refused');
});

it('trap 07: a missing, odd or future time is a refusal, neither a crash nor a yes', () => {
  const signed = { method: 'POST', publicUrl: PUBLIC_URL, rawBody: BODY, clientSecret: 'secret' };
  const day = 86_400_000;
  for (const stamp of [undefined, '', 'NaN', 'soon', '1e12', String(NOW_MS - day), String(NOW_MS + day)]) {
    const text = `POST${PUBLIC_URL}${BODY}${stamp}`;
    const headers = {
      'x-hubspot-signature-v3': createHmac('sha256', 'secret').update(text).digest('base64'),
      'x-hubspot-request-timestamp': stamp,
    };
    expect(verifyWebhookSignature({ ...signed, headers, nowMs: NOW_MS }).kind).toBe('refused');
  }
  const headers = signWebhook({ ...signed, timestampMs: NOW_MS });
  expect(verifyWebhookSignature({ ...signed, headers, nowMs: NOW_MS })).toEqual({
    kind: 'valid',
    version: 'v3',
  });
});
