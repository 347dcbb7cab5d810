import { writeFile } from 'node:fs/promises';
import { isAboutPerson, recordKey } from '#shared/crm';
import { mailAddress } from '#shared/identity';
import { counted } from '#shared/kernel';
import { exportSubject, type SubjectExport } from '#shared/privacy';
import { identifierKeys } from '#shared/questions';
import { label } from '#shared/spend';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import { printJson, printSheet, type Sheet, type Table } from '../../terminal/sheet.ts';
import { nameRecord } from '../records/find-record.ts';

type SubjectOptions = CommandOptions & { readonly out?: string };

/** `privacy subject`: exports everything stored about one person. */
export async function showSubject(run: CommandRun, options: SubjectOptions, words: string): Promise<Sheet> {
  const connection = await run.connect();
  const named = await nameRecord(connection, words);
  if ('domain' in named || ('id' in named && !isAboutPerson(named)))
    throw new CliError('A company is not a person: give an email or contacts/<id>.', {
      code: 'not-a-person',
    });
  if ('email' in named && mailAddress(named.email)?.role)
    throw new CliError('Several people may use this mailbox: give contacts/<id>.', {
      code: 'shared-mailbox',
    });
  const { services, policy } = connection;
  const start =
    'id' in named
      ? { record: recordKey(named) }
      : { identifiers: identifierKeys({ emails: [named.email] }, services.digest).sure };
  const exported = await exportSubject({ ...services, policy }, start);
  if (!exported) throw new CliError('No data about this person is stored.', { code: 'no-person' });
  const sheet = { json: exported, body: bodyOf(exported) };
  if (options.out === undefined) return sheet;
  await writeExport(options.out, sheet, options);
  return {
    json: { file: options.out },
    body: [
      `Written to ${options.out}. Only you may read it. It holds personal data: delete it after you have sent it.`,
    ],
  };
}

/**
 * Creates a file that only its owner can read. It does not replace an existing file, because other users could be
 * able to read that one.
 */
async function writeExport(path: string, sheet: Sheet, { json }: SubjectOptions): Promise<void> {
  const parts: string[] = [];
  const io = { out: (text: string) => parts.push(text), err: () => undefined, colours: false };
  if (json) printJson(io, sheet.json);
  else await printSheet(io, sheet, {});
  try {
    await writeFile(path, parts.join(''), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CliError(`${path} already exists. Choose another name for --out.`, {
        code: 'file-exists',
      });
    throw error;
  }
}

function bodyOf(held: SubjectExport): (string | Table)[] {
  const { records, answers, writes, requests, recipients, forgottenAt } = held;
  const { firstObtainedAt, lastObtainedAt } = held;
  return [
    ...(forgottenAt
      ? [`The person was forgotten at ${forgottenAt}. Only the proof of the lookups is left.`]
      : []),
    firstObtainedAt
      ? `Data were first obtained at ${firstObtainedAt}, last at ${lastObtainedAt}.`
      : 'No stored data has a known source.',
    '\nValues in HubSpot that the enrichment wrote and that are unchanged:',
    ...records.flatMap(({ record, mergedFrom, values, keptUntil }) => [
      `${record}${mergedFrom.length > 0 ? ` (merged from ${mergedFrom.join(', ')})` : ''}: kept ${keptUntil}`,
      { columns: ['property', 'value'], rows: Object.entries(values), empty: 'none' },
    ]),
    ...(records.length === 0 ? ['none'] : []),
    `\nStored answers: ${counted(answers.length, 'answer')}`,
    ...answers.flatMap(({ operation, obtainedAt, keptUntil, values }) => [
      `${label(operation)}, obtained ${obtainedAt} from the data service, kept until ${keptUntil}`,
      {
        columns: ['field', 'value'],
        rows: Object.entries(values).map(([name, value]) => [name, textOf(value)]),
      },
    ]),
    '\nLookups, with their identifiers and results:',
    {
      columns: ['at', 'source', 'operation', 'sent', 'fields received', 'for'],
      rows: requests.map(({ at, source, operation, sent, fields, record, times }) => [
        times === undefined ? at : `${at}, ${times} times`,
        ...[source, label(operation), sent.join(', '), fields.join(', ') || 'none', record ?? ''],
      ]),
      empty: 'Nothing on record.',
    },
    '\nWho received values:',
    {
      columns: ['recipient', 'record', 'properties', 'first', 'last'],
      rows: recipients.map(({ recipient, record, properties, firstAt, lastAt }) => [
        ...[recipient, record, properties.join(', '), firstAt, lastAt],
      ]),
      empty: 'None on record.',
    },
    '\nWrites to HubSpot that the journal still has:',
    {
      columns: ['at', 'record', 'property', 'before', 'after', 'kept until'],
      rows: writes.map(({ at, record, property, before, after, keptUntil }) => [
        ...[at, record, property, before ?? '', after, keptUntil],
      ]),
      empty: 'Nothing on record.',
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
