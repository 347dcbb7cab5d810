import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayEvent } from '#shared/lambda';
import { startHttpServer } from '../../../../infra/local/http-server.ts';
import type { Served } from '../../../../infra/sandbox/serve.ts';

let served: Served;
const seen: GatewayEvent[] = [];

beforeAll(async () => {
  const spend = async (event: GatewayEvent) => {
    seen.push(event);
    return { statusCode: 200, headers: {}, body: 'the books' };
  };
  served = await startHttpServer(
    { port: 0, publicUrl: 'https://tunnel.example/hubspot' },
    { '/hubspot': spend, '/spend': spend },
  );
});
afterAll(() => served.close());

async function get(host: string, path = '/spend') {
  const asked = request(`${served.url}${path}`, { headers: { host } }).end();
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, body: await text(response) };
}

const port = () => new URL(served.url).port;

describe('the server on a laptop', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('answers as %s with its port', async (name) => {
    expect(await get(`${name}:${port()}`)).toEqual({ status: 200, body: 'the books' });
  });

  it.each(['tunnel.example', 'tunnel.example:443'])(
    'answers as %s, which its person set, to the requests of HubSpot alone',
    async (host) => {
      expect((await get(host, '/hubspot/card')).status).toBe(200);
      expect((await get(host, '/spend')).status).toBe(421);
      expect((await get(host, '/')).status).toBe(421);
    },
  );

  it.each([
    'rebound.example',
    'rebound.example:PORT',
    'localhost',
    'localhost:1',
    'localhost:99999',
    'localhost.rebound.example:PORT',
    '127.0.0.1.rebound.example:PORT',
    'rebound.example@localhost:PORT',
    'localhost:PORT/',
    'localhost:PORT, rebound.example',
  ])('refuses the name %s and says at which address it answers', async (host) => {
    const before = seen.length;
    const { status, body } = await get(host.replace('PORT', port()));
    expect([status, body.includes(served.url)]).toEqual([421, true]);
    expect(seen).toHaveLength(before);
  });

  it('leads from its bare address to the spend page, and nowhere else', async () => {
    expect(await (await fetch(served.url)).text()).toBe('the books');
    expect((await fetch(`${served.url}/other`)).status).toBe(404);
  });
});
