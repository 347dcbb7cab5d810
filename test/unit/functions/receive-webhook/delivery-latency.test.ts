import { describe, expect, it } from 'vitest';
import { deliveryLatencyMs } from '../../../../functions/receive-webhook/handler.ts';
import { delivery, NOW_MS } from './deliveries.ts';

const result = (statusCode: number) => ({ statusCode, headers: {}, body: '' });

describe('the latency of a delivery', () => {
  const event = delivery({ body: '[]', timestampMs: NOW_MS - 250 });
  const inLowerCase = Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const asSent = { ...event, headers: Object.fromEntries(inLowerCase) };

  it('is counted from the timestamp that HubSpot signed', () => {
    expect(deliveryLatencyMs(asSent, result(200), NOW_MS)).toBe(250);
  });

  it('is not told of what was refused, nor without a timestamp', () => {
    expect(deliveryLatencyMs(asSent, result(401), NOW_MS)).toBeUndefined();
    expect(deliveryLatencyMs({ ...asSent, headers: {} }, result(200), NOW_MS)).toBeUndefined();
    const odd = { ...asSent, headers: { 'x-hubspot-request-timestamp': 'soon' } };
    expect(deliveryLatencyMs(odd, result(200), NOW_MS)).toBeUndefined();
  });
});
