import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Served, serveSandbox } from '../../../../../infra/sandbox/serve.ts';
import { createCaller } from './caller.ts';

let served: Served | undefined;
afterEach(() => served?.close());

async function serve(handle: (request: Request) => Promise<Response>): Promise<string> {
  served = await serveSandbox({ handle, port: 0 });
  return served.url;
}

describe('serveSandbox', () => {
  it('passes method, headers, query and raw bodies both ways', async () => {
    const url = await serve(async (incoming) => {
      const bytes = await incoming.arrayBuffer();
      const seen = `${incoming.method} ${new URL(incoming.url).search} ${incoming.headers.get('x-one')}`;
      return new Response(bytes, { status: 207, headers: { 'x-seen': seen, date: 'then' } });
    });
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const response = await fetch(`${url}/path?a=1`, {
      method: 'POST',
      body: bytes,
      headers: { 'x-one': '1' },
    });
    expect(response.status).toBe(207);
    expect(response.headers.get('x-seen')).toBe('POST ?a=1 1');
    expect(response.headers.get('date')).toBe('then');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it('takes the preferred port if it is free, and otherwise another one', async () => {
    const handle = async () => new Response('one');
    const preferredPort = Number(new URL(await serve(handle)).port);
    const other = await serveSandbox({ handle, port: 0, preferredPort });
    expect(Number(new URL(other.url).port)).not.toBe(preferredPort);
    await other.close();
    await served?.close();
    served = await serveSandbox({ handle, port: 0, preferredPort });
    expect(Number(new URL(served.url).port)).toBe(preferredPort);
  });

  it('tells the handler when the client goes away', async () => {
    const [entered, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const url = await serve(
      ({ signal }) =>
        new Promise((_, reject) => {
          entered.resolve();
          signal.addEventListener('abort', () => {
            gone.resolve('gone');
            reject(signal.reason);
          });
        }),
    );
    const client = request(url, { agent: false }).on('error', () => undefined);
    client.end();
    await entered.promise;
    client.destroy();
    expect(await gone.promise).toBe('gone');
  });

  it('adds no Date where the answer has none', async () => {
    const { sandbox, settings } = createCaller();
    await settings({ faults: [{ kind: 'headers-missing' }] });
    const url = await serve(sandbox.handle);
    const { headers } = await fetch(`${url}/api/v1/public/auth`, { headers: { 'x-api-key': 'sandbox-key' } });
    expect(headers.has('date')).toBe(false);
  });
});
