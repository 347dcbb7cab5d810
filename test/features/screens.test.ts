import { once } from 'node:events';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { type Served, serveSandbox } from '../../infra/sandbox/serve.ts';
import { somePerson } from '../harness/people.ts';
import { liveOn, refreshAfter, settleDown, verify } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

interface Answered {
  readonly status: number;
  readonly location: string;
  readonly policy: string;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The stand-in on a port, and a browser that sends what it is told to. */
async function openScreens(options: WorldOptions = {}) {
  const world = await createWorld(options);
  served = await serveSandbox({ port: 0, handle: world.portal.sandbox.handle });
  const { url } = served;
  const ask = async (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> => {
    const asked = request(`${url}${path}`, { method, headers }).end(body);
    const [response] = await once(asked, 'response');
    const { location = '', 'content-security-policy': policy = '' } = response.headers;
    return { status: response.statusCode, location, policy, body: await text(response) };
  };
  const form = (values: Readonly<Record<string, string>>): Sent => ({
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(values)),
  });
  const send = (path: string, values: Readonly<Record<string, string>>) => ask(path, form(values));
  const importFile = (path: string, csv: string, fields: Readonly<Record<string, string>> = {}) =>
    ask(path, { ...form({}), ...fileForm(csv, url, fields) });
  return { world, url, ask, form, send, importFile };
}

function fileForm(csv: string, origin: string, fields: Readonly<Record<string, string>>): Sent {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--limit\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const start =
    '--limit\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv';
  return {
    headers: { origin, 'content-type': 'multipart/form-data; boundary=limit' },
    body: `${parts.join('')}${start}\r\n\r\n${csv}\r\n--limit--\r\n`,
  };
}

/** What a person reads in the row of a property. */
function rowOf({ body }: Answered, property: string): string {
  const row = new RegExp(`<tr data-property="${property}">.*?</tr>`, 's').exec(body)?.[0] ?? '';
  return row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function recordsIn(world: World) {
  const answer = await world.portal.sandbox.handle(new Request('http://stand-in/_sandbox/records'));
  const { records } = (await answer.json()) as { records: { properties: Record<string, string> }[] };
  return records;
}

describe('the pages of the HubSpot stand-in', () => {
  it('let a person create a contact, see it enriched, and keep an edit through a refresh', async () => {
    const { world, ask, send } = await openScreens();
    const { email = '', title } = somePerson(world).job;
    const { status, location } = await send('/screen/contacts/new', { email, firstname: '' });
    expect({ status, location }).toEqual({ status: 303, location: expect.stringMatching(/contacts\/\d+$/) });
    expect(rowOf(await ask(location), 'jobtitle')).toBe('');
    await settleDown(world);
    const enriched = await ask(location);
    expect(rowOf(enriched, 'email')).toContain('Person (user 1001)');
    expect(rowOf(enriched, 'jobtitle')).toContain(`${title} The enrichment app`);

    const edit = await send(`${location}/property?name=jobtitle`, { value: 'Chosen by hand' });
    expect(edit).toMatchObject({ status: 303, location });
    const spent = world.charged();
    await refreshAfter(world, 400 * DAY_MS);
    expect(world.charged()).toBeGreaterThan(spent);
    expect(rowOf(await ask(location), 'jobtitle')).toContain('Chosen by hand Person (user 1001)');
    const history = await ask(`${location}/property?name=jobtitle`);
    expect(history.body.match(/Person \(user 1001\)|The enrichment app/g)).toEqual([
      'Person (user 1001)',
      'The enrichment app',
    ]);
    await verify(world);
  });

  it('enroll a record in a workflow, and show what the action returned', async () => {
    const { world, ask, send } = await openScreens({ agedMs: DAY_MS });
    const { location } = await send('/screen/contacts/new', { email: somePerson(world).job.email ?? '' });
    await settleDown(world);
    expect(world.charged()).toBe(0);
    expect(await send(`${location}/enroll`, {})).toMatchObject({ status: 303, location: '/screen/workflow' });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await ask('/screen/workflow')).body).toMatch(/Done<\/td><td>enriched<\/td><td>1 credit</);
  });

  it('list, search and page', async () => {
    const { world, ask, send } = await openScreens();
    for (let index = 0; index < 27; index += 1)
      await send('/screen/companies/new', { name: `Firm n${index}n` });
    const first = await ask('/screen/companies');
    expect(first.body.match(/Firm n\d+n/g)).toHaveLength(25);
    expect(first.body).toContain('Page 1 of 2');
    expect((await ask('/screen/companies?q=&page=2')).body.match(/Firm n\d+n/g)).toEqual([
      'Firm n1n',
      'Firm n0n',
    ]);
    expect((await ask('/screen/companies?q=firm+N13N')).body.match(/Firm n\d+n/g)).toEqual(['Firm n13n']);
    for (const page of ['0', '-1', '99', 'x', '1e9'])
      expect((await ask(`/screen/companies?page=${page}`)).status).toBe(200);
    expect(world.charged()).toBe(0);
  });

  it('say what is wrong with a value, and keep what was typed', async () => {
    const { send } = await openScreens();
    const typed = { email: 'no address', firstname: 'Kept' };
    const refused = await send('/screen/contacts/new', typed);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatch(/role="alert".*no address/);
    expect(refused.body).toContain('value="Kept"');
    expect((await send('/screen/contacts/new', {})).body).toContain('Fill in at least one field.');
    const { location } = await send('/screen/contacts/new', { lastname: 'Numbers' });
    const edit = await send(`${location}/property?name=hs_persona`, { value: 'none of the choices' });
    expect([edit.status, edit.body.includes('role="alert"')]).toEqual([400, true]);
    const readOnly = await send(`${location}/property?name=lastmodifieddate`, { value: '1' });
    expect(readOnly.status).toBe(400);
  });
});

describe('an import on the pages', () => {
  it('makes a record of each good line, names the bad ones, and is the source of the values', async () => {
    const { world, ask, importFile } = await openScreens();
    const file =
      '\u{feff}email,firstname,lastname\r\na@firm.example,"Ann, ""A""\nB",One\r\n\r\nno address,Bad,Two\r\n' +
      'c@firm.example,Three\r\na@firm.example,Again,Four\r\nd@firm.example,E,F,G\r\n';
    const { status, body } = await importFile('/screen/contacts/import', file);
    expect(status).toBe(200);
    expect(body).toContain('2 records were created.');
    expect(body.match(/Line \d+: [^<]*/g)).toEqual([
      expect.stringMatching(/^Line 5: .*no address/),
      expect.stringMatching(/^Line 7: Contact already exists/),
      'Line 8: it has 4 values, and the header has 3 names.',
    ]);
    const [record] = await recordsIn(world);
    expect(record?.properties).toMatchObject({ firstname: 'Ann, "A"\nB', hs_object_source: 'IMPORT' });
    const { hs_object_id: id } = record?.properties ?? {};
    expect(rowOf(await ask(`/screen/contacts/${id}`), 'firstname')).toContain('Import');
  });

  it.each([
    ['of HubSpot', 'First Name,Last Name,Email,Lead Status\nJo,Roe,jo@firm.example,In progress\n'],
    ['of Excel with semicolons', 'First name;Last name;E-Mail\r\nJo;Roe;jo@firm.example\r\n'],
    ['of a whole export', 'Record ID,First Name,Last Name,Email\n551,Jo,Roe,jo@firm.example\n', 'partly'],
  ])('imports a file %s', async (_, csv, partly = '') => {
    const { world, importFile } = await openScreens();
    const { status } = await importFile(
      '/screen/contacts/import',
      csv,
      partly === '' ? {} : { partly: 'true' },
    );
    expect(status).toBe(200);
    expect(await recordsIn(world)).toMatchObject([
      { properties: { firstname: 'Jo', lastname: 'Roe', email: 'jo@firm.example' } },
    ]);
  });

  it.each([
    [
      'no such property',
      'email,shoe_size\na@firm.example,43\n',
      'Line 1: no property that you may fill is called &quot;shoe_size&quot;',
    ],
    ['a name twice', 'email,E-mail\na@firm.example,b@firm.example\n', 'two columns'],
    ['too many lines', `lastname\n${'Much\n'.repeat(1_001)}`, 'at most 1000'],
  ])('makes nothing of a file with %s', async (_, csv, problem) => {
    const { world, importFile } = await openScreens();
    const { status, body } = await importFile('/screen/contacts/import', csv);
    expect([status, body.includes(problem)]).toEqual([400, true]);
    expect(await recordsIn(world)).toEqual([]);
  });

  it('refuses a file of more than 1 MB, and reads a long quoted value', async () => {
    const { world, importFile } = await openScreens();
    const huge = await importFile('/screen/contacts/import', `lastname\n${'x'.repeat(2_000_000)}\n`);
    expect([huge.status, huge.body.includes('larger than 1 MB')]).toEqual([413, true]);
    expect(await recordsIn(world)).toEqual([]);
    const long = await importFile('/screen/contacts/import', `lastname\n"${'""'.repeat(400_000)}"\n`);
    expect(long.body).toMatch(/Line 2: /);
  });
});

describe('an attack on the pages', () => {
  const FOREIGN = { origin: 'https://attacker.example' };

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['another origin', FOREIGN, 403],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['the origin of a page without one', { origin: 'null' }, 403],
    ['no origin', {}, 403],
    ['a rebound name', { host: 'rebound.example', origin: 'http://rebound.example' }, 421],
    ['a rebound name that begins like ours', { host: '127.0.0.1.rebound.example' }, 421],
    ['a host that is no name', { host: 'x@127.0.0.1' }, 421],
  ])('with %s changes nothing', async (_, headers, status) => {
    const { world, ask, send, form } = await openScreens();
    const { location } = await send('/screen/contacts/new', { lastname: 'Untouched' });
    const { body, headers: own } = form({ lastname: 'Attacked', value: 'Attacked', to: '1' });
    const { 'content-type': type = '' } = own ?? {};
    const before = JSON.stringify(world.portal.sandbox.state());
    for (const path of [
      '/screen/contacts/new',
      '/screen/companies/import',
      `${location}/property?name=lastname`,
      `${location}/associate`,
      `${location}/enroll`,
    ]) {
      const sent: Sent = {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        ...(body && { body }),
      };
      expect([path, (await ask(path, sent)).status]).toEqual([path, status]);
    }
    expect(JSON.stringify(world.portal.sandbox.state())).toBe(before);
  });

  it('reads nothing under a rebound name', async () => {
    const { ask } = await openScreens();
    for (const path of ['/', '/screen/contacts', '/_sandbox/records', '/_sandbox/settings'])
      expect([path, (await ask(path, { headers: { host: 'rebound.example' } })).status]).toEqual([path, 421]);
  });

  it("uses none of the stand-in's verbs from another page", async () => {
    const { world, ask } = await openScreens();
    const body = JSON.stringify({ objectType: 'contacts', properties: { lastname: 'Attacked' } });
    for (const verb of ['create', 'reset', 'fetch', 'enrol'])
      expect((await ask(`/_sandbox/${verb}`, { method: 'POST', headers: FOREIGN, body })).status).toBe(403);
    expect(await recordsIn(world)).toEqual([]);
  });

  it('does not get a script into a page', async () => {
    const { ask, send } = await openScreens();
    const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
    const { location } = await send('/screen/contacts/new', {
      lastname: hostile,
      website: 'javascript:alert(3)',
    });
    const query = encodeURIComponent(hostile);
    const property = `${location}/property?name=`;
    const paths = [
      '/screen/contacts',
      `/screen/contacts?q=${query}`,
      location,
      `${property}lastname`,
      `/screen/contacts/new?email=${query}`,
      `${property}website`,
    ];
    for (const path of paths) {
      const { status, body, policy } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body).not.toMatch(/<script>|<img|href="javascript/);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    }
    const refused = await send('/screen/contacts/new', { email: hostile });
    expect(refused.body).not.toMatch(/<script>|<img/);
  });

  it('finds the stand-in on no other address of this machine', async () => {
    const { url } = await openScreens();
    const { hostname, port } = new URL(url);
    expect(hostname).toBe('127.0.0.1');
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4'))
      await expect(fetch(`http://${address}:${port}/screen/contacts`)).rejects.toThrow();
  });
});
