import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Crm, ObjectType } from '#shared/crm';
import type { GatewayEvent } from '#shared/lambda';
import { spendRoute } from '../../../../infra/local/http-server.ts';
import { withRecordNames } from '../../../../infra/local/record-names.ts';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import { chargeFor } from '../../shared/spend/random-log.ts';

const SECRET = 'a5ecret';

const PROPERTIES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'contacts#1': { firstname: 'Nora', lastname: ' Vance ', email: 'nora@vance.example' },
  'contacts#2': { firstname: '', lastname: null, email: 'someone@vance.example' },
  'contacts#3': {},
  'companies#1': { name: null, domain: 'vance.example' },
};

function crmOf(asked: string[]) {
  const read: Crm['read'] = async ({ objectType, ids, properties: names }) => {
    asked.push(...ids.map((id) => `${objectType}#${id}: ${names.join(', ')}`));
    const found = ids.flatMap((id) => {
      const properties = PROPERTIES[`${objectType}#${id}`];
      return properties ? [[id, { objectType, id, properties, createdAtMs: 0 }] as const] : [];
    });
    return { records: new Map(found), failed: new Map() };
  };
  return { read };
}

async function opened() {
  const reporter = openReporter();
  const asked: string[] = [];
  for (const record of ['contacts#1', 'companies#1']) await chargeFor(reporter, record);
  const report = (event: GatewayEvent) =>
    reporter.ask(event.rawPath, { method: event.requestContext.http.method });
  const route = spendRoute(withRecordNames(report, { crm: async () => crmOf(asked), secret: SECRET }));
  const ask = (
    rawPath: string,
    given: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    route({
      rawPath,
      rawQueryString: '',
      requestContext: { http: { method: given.method ?? 'GET' } },
      headers: { host: 'localhost:1', ...given.headers },
      body: Buffer.from(given.body ?? '').toString('base64'),
      isBase64Encoded: true,
    });
  const names = (body: string, headers: Record<string, string> = { authorization: `Bearer ${SECRET}` }) =>
    ask('/spend/names', { method: 'POST', headers, body });
  return { ask, names, asked, lines: reporter.lines };
}

const keysOf = (...names: [ObjectType, string][]) => JSON.stringify(names.map((name) => name.join('#')));

describe('names of records on a laptop', () => {
  it('are read with the secret: the name, or what stands in for it', async () => {
    const { names, asked } = await opened();
    const body = keysOf(
      ['contacts', '1'],
      ['contacts', '2'],
      ['contacts', '3'],
      ['companies', '1'],
      ['contacts', '9'],
    );
    const { statusCode, headers, body: found } = await names(body);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(JSON.parse(found)).toEqual({
      'contacts#1': 'Nora Vance',
      'contacts#2': 'someone@vance.example',
      'companies#1': 'vance.example',
    });
    expect(asked).toContain('companies#1: name, domain');
  });

  it.each<[what: string, headers: Record<string, string>]>([
    ['no secret', {}],
    ['another secret', { authorization: 'Bearer a5ecres' }],
    ['a part of it', { authorization: 'Bearer a5ec' }],
    ['an order of another site', { authorization: `Bearer ${SECRET}`, origin: 'https://elsewhere.example' }],
  ])('are refused with %s, and nothing is read', async (_, headers) => {
    const { names, asked } = await opened();
    const { statusCode, body } = await names(keysOf(['contacts', '1']), headers);
    expect([statusCode, body.includes('Nora'), asked]).toEqual([403, false, []]);
  });

  it.each(['', 'x', '{}', '["deals#1"]', '["contacts#<b>"]', JSON.stringify(Array(101).fill('contacts#1'))])(
    'are refused for the request %j',
    async (body) => {
      const { names, asked } = await opened();
      expect([(await names(body)).statusCode, asked]).toEqual([400, []]);
    },
  );

  it('stand in no page and in no log, and only one script may run', async () => {
    const { ask, names, lines } = await opened();
    await names(keysOf(['contacts', '1']));
    const { body, headers } = await ask('/spend/charges');
    expect(body).toContain('data-record="contacts#1"');
    const [, script = '', ...more] = body.split(/<script>|<\/script>/);
    expect(more).toHaveLength(1);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'; connect-src 'self'`);
    for (const text of [body, JSON.stringify(lines)]) expect(text).not.toMatch(/Nora|vance|a5ecret/);
    expect((await ask('/spend/charges.csv')).body).not.toContain('script');
    expect((await ask('/spend/names')).statusCode).toBe(405);
  });
});
