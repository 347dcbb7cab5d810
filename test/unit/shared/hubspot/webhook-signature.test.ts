import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhookSignature } from '#shared/hubspot';

const SECRET = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
const NOW_MS = 1_700_000_300_000;
const MINUTE_MS = 60_000;
const request = {
  method: 'POST',
  publicUrl: 'https://www.example.com/webhook_uri',
  rawBody: "{'example_field':'example_value'}",
  clientSecret: SECRET,
};

function signedAt(timestampMs: number) {
  return { ...request, nowMs: NOW_MS, headers: signWebhook({ ...request, timestampMs }) };
}

describe('official version 3 vectors', () => {
  const vectors: readonly [number, string][] = [
    [1_693_657_560_000, 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y='],
    [1_700_000_300_000, 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw='],
  ];

  it.each(vectors)('timestamp %i is signed and accepted', (timestampMs, signature) => {
    expect(signWebhook({ ...request, timestampMs })['x-hubspot-signature-v3']).toBe(signature);
    const headers = {
      'x-hubspot-signature-v3': signature,
      'x-hubspot-request-timestamp': String(timestampMs),
    };
    const verdict = verifyWebhookSignature({ ...request, headers, nowMs: timestampMs + 1_000 });
    expect(verdict).toEqual({ kind: 'valid', version: 'v3' });
  });
});

describe('refusals', () => {
  const refusal = (reason: string) => ({ kind: 'refused', reason });

  it.each(['x-hubspot-signature-v3', 'x-hubspot-request-timestamp'])('without %s', (name) => {
    const signed = signedAt(NOW_MS);
    const headers = { ...signed.headers, [name]: undefined };
    expect(verifyWebhookSignature({ ...signed, headers })).toEqual(refusal('missing-header'));
    expect(verifyWebhookSignature({ ...signed, headers, allowV1: true })).toEqual(refusal('missing-header'));
  });

  it.each([
    ['before', -1, 'too-old'],
    ['ahead', 1, 'from-the-future'],
  ] as const)('of a signature from more than five minutes %s, to the millisecond', (_, sign, code) => {
    expect(verifyWebhookSignature(signedAt(NOW_MS + sign * 5 * MINUTE_MS)).kind).toBe('valid');
    expect(verifyWebhookSignature(signedAt(NOW_MS + sign * (5 * MINUTE_MS + 1)))).toEqual(refusal(code));
  });

  it('of another secret, method, URL, timestamp or signature', () => {
    const signed = signedAt(NOW_MS);
    const headers = (name: string, value: string) => ({ headers: { ...signed.headers, [name]: value } });
    const changes = [
      { clientSecret: 'another-secret' },
      { method: 'PUT' },
      { publicUrl: `${request.publicUrl}/` },
      { publicUrl: 'https://www.example.com/prod/webhook_uri' },
      headers('x-hubspot-request-timestamp', String(NOW_MS + 1)),
      headers('x-hubspot-signature-v3', 'short'),
      headers('x-hubspot-signature-v3', `${signed.headers['x-hubspot-signature-v3']} `),
    ];
    for (const change of changes) {
      expect(verifyWebhookSignature({ ...signed, ...change })).toEqual(refusal('wrong-signature'));
    }
  });

  it('of a body in which any one byte was changed', () => {
    const bytes = Buffer.from(request.rawBody);
    for (let index = 0; index < bytes.length; index += 1) {
      const rawBody = Uint8Array.from(bytes, (byte, at) => (at === index ? byte ^ 1 : byte));
      expect(verifyWebhookSignature({ ...signedAt(NOW_MS), rawBody })).toEqual(refusal('wrong-signature'));
    }
  });
});

describe('version 1', () => {
  const v1 = {
    'x-hubspot-signature': createHash('sha256')
      .update(SECRET + request.rawBody)
      .digest('hex'),
    'x-hubspot-signature-version': 'v1',
  };

  it('does not stand in for a version 3 signature that is wrong', () => {
    const headers = { ...signedAt(NOW_MS).headers, ...v1, 'x-hubspot-signature-v3': 'wrong' };
    const verdict = verifyWebhookSignature({ ...request, headers, nowMs: NOW_MS, allowV1: true });
    expect(verdict).toEqual({ kind: 'refused', reason: 'wrong-signature' });
  });

  it('is refused when the body differs or the version is another', () => {
    const asked = { ...request, headers: v1, nowMs: NOW_MS, allowV1: true };
    expect(verifyWebhookSignature({ ...asked, rawBody: '[]' }).kind).toBe('refused');
    const v2 = { ...v1, 'x-hubspot-signature-version': 'v2' };
    expect(verifyWebhookSignature({ ...asked, headers: v2 }).kind).toBe('refused');
  });
});
