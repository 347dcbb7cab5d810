import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { readCsv, startStandIns } from '../../../harness/console.ts';

const ID = '546500000007';
const PAGE = 'https://app.hubspot.com/contacts/24170001/record';
const standIns = await startStandIns();
const folder = await mkdtemp(join(tmpdir(), 'ids-'));
afterAll(async () => {
  await standIns.stop();
  await rm(folder, { recursive: true });
});

async function quoteOf(file: string | Uint8Array, ...more: readonly string[]) {
  const path = join(folder, 'ids.csv');
  await writeFile(path, file);
  return standIns.run(['backfill', 'quote', '--objects', 'contacts', '--ids', path, '--json', ...more]);
}

describe('a file of ids', () => {
  it.each([
    ['with a heading of HubSpot', `Record ID,First Name\n${ID},Jo\n`],
    ['whose column is not the first', `First Name,Record ID\nJo,${ID}\n`],
    ['with an internal name', `hs_object_id;name\r\n${ID};Jo\r\n`],
    ['of Excel, in UTF-16', Buffer.from(`\u{feff}Record ID\tName\r\n${ID}\tJosé\r\n`, 'utf16le')],
    ['of Excel, in Windows-1252', Buffer.from(`Record ID;Name\r\n${ID};José\r\n`, 'latin1')],
    ['of Excel, with its separator', `sep=;\r\nRecord ID;Name\r\n${ID};Jo\r\n`],
    ['with a line break in a value', `Record ID,Notes\n${ID},"call\n546500000099, 12"\n`],
    ['with separators of thousands', 'Record ID\n"546,500,000,007"\n'],
    ['as a decimal number', `Record ID\n${ID}.0\n`],
    ['as a quoted text for Excel', `Record ID\n"=""${ID}"""\n`],
    ['with the address of a page', `Record URL\n${PAGE}/0-1/${ID}/view/1?x=2\n`],
    ['with empty rows, and an id twice', `Record ID,Name\n\n,\n ${ID} ,Jo\n${ID},Jo\n`],
    ['with short and long rows', `Record ID,Name,City\n${ID}\n${ID},Jo,Rome,,\n`],
  ])('is read %s', async (_, file) => {
    const { code, json } = await quoteOf(file);
    expect({ code, json: json() }).toMatchObject({ code: 0, json: { seen: 1, rowsWithoutId: [] } });
  });

  it.each([
    ['5.465E+11', 'shortened'],
    ['', 'empty'],
    ['jane@acme.example', 'not-an-id'],
    [`${PAGE}/0-2/5`, 'other-type'],
    [`${PAGE}/0-3/5`, 'not-an-id'],
    [`${PAGE.replace('24170001', '99999')}/0-1/${ID}`, 'other-account'],
  ])('names the line of %s, and goes on only with consent', async (cell, fault) => {
    const file = `Record ID,Name\n${cell},A\n${ID},B\n`;
    const { code, json } = await quoteOf(file);
    expect([code, json()['error']]).toEqual([2, expect.objectContaining({ code: 'not-asked' })]);
    const agreed = await quoteOf(file, '--yes');
    expect([agreed.code, agreed.json()]).toEqual([
      0,
      expect.objectContaining({ seen: 1, rows: 2, rowsWithoutId: [{ line: 2, fault }] }),
    ]);
  });

  it.each([
    ['an open quote', `Record ID,Name\n${ID},"A\n${ID},B\n`, 'file-damaged', { line: 2 }],
    ['a quote within a value', `Record ID,Name\n${ID},A\n5,5" pipe\n`, 'file-damaged', { line: 3 }],
    ['no id', 'Name\nJo\n', 'no-ids', undefined],
  ])('is refused with %s, and leaves no quote behind', async (_, file, error, params) => {
    const before = (await standIns.run(['backfill', 'list', '--json'])).json();
    const { code, json } = await quoteOf(file, '--yes');
    expect(code).toBe(2);
    expect(json()['error']).toMatchObject({ code: error, ...(params && { params }) });
    expect((await standIns.run(['backfill', 'list', '--json'])).json()).toEqual(before);
  });

  it('is continued after Ctrl-C by the command that the quote names', async () => {
    const path = join(folder, 'ids.csv');
    await writeFile(path, `Record ID\n${ID}\n`);
    const stopping = new AbortController();
    let named = '';
    const err = (text: string) => {
      named = /backfill quote --resume (\w+) --ids/.exec(text)?.[1] ?? named;
      if (named !== '') stopping.abort(new CliError('stopped', 'Stopped.'));
    };
    const words = ['backfill', 'quote', '--ids', path];
    const io = { err, signal: stopping.signal };
    const stopped = await standIns.run([...words, '--objects', 'contacts'], { answer: 'y', io });
    expect(stopped.code).toBe(EXIT.failed);
    const { json } = await standIns.run([...words, '--resume', named, '--json']);
    expect(json()).toMatchObject({ id: named, state: 'quoted', seen: 1 });
    const [columns, ...rows] = readCsv((await standIns.run(['backfill', 'list', '--csv'])).out);
    expect(rows.map((row) => row[columns?.indexOf('id') ?? -1])).toContain(named);
  });
});

const foreign = `https://app.hubspot.com/contacts/99999/record/0-1/${ID}`;
it.each([
  ['forget', foreign, '--yes'],
  ['explain', foreign],
  ['enrich', foreign, '--yes'],
  ['privacy', 'subject', foreign],
  ['forget', 'app-eu1.hubspot.com/contacts/99999/contact/5', '--yes'],
])('the address of a record in another HubSpot account is refused by %s', async (...words) => {
  const { code, json } = await standIns.run([...words, '--json']);
  expect([code, json()['error']]).toEqual([2, expect.objectContaining({ code: 'other-account' })]);
});
