import { writeFile } from 'node:fs/promises';
import { isAboutPerson, type RecordName, recordKey, shownKey } from '#shared/crm';
import { mailAddress } from '#shared/identity';
import { counted, utcDay } from '#shared/kernel';
import { exportSubject, type Notice, type SubjectExport, unsentNotices } from '#shared/privacy';
import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { recordKind } from '#shared/records';
import { hubSpotPages, label } from '#shared/spend';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { text } from '../terminal/refusals.ts';
import { type Lines, printJson, printSheet, type Sheet, tableOf } from '../terminal/sheet.ts';
import { nameRecord } from './find-record.ts';

/** Duties towards the people whose data was obtained. */
export function addPrivacy(program: SheetCommand): void {
  const privacy = program
    .command('privacy')
    .description("show a person's data, notices that are due, and data past its retention period");
  privacy
    .command('subject <person>')
    .description(
      "show all stored data of one person: give an email, contacts/<id>, or the record's URL in HubSpot",
    )
    .option('--out <file>', 'write it to a new file that only you may read', text)
    .example('contacts/123 --out export.txt')
    .sheet(showSubject);
  privacy
    .command('notices')
    .description('list people who must still be informed about the source of their data')
    .option('--overdue', 'only overdue notices')
    .csv()
    .sheet(listNotices);
}

/** The person whom the operator's words name. @throws CliError for a company */
async function namePerson(connection: Connection, words: string) {
  const named = await nameRecord(connection, words);
  if ('domain' in named || ('id' in named && !isAboutPerson(named)))
    throw new CliError('not-a-person', 'A company is not a person: give an email or contacts/<id>.');
  return named;
}

type SubjectOptions = CommandOptions & { readonly out?: string };

async function showSubject(run: CommandRun, options: SubjectOptions, words: string): Promise<Sheet> {
  const connection = await run.connect();
  const named = await namePerson(connection, words);
  if ('email' in named && mailAddress(named.email)?.role)
    throw new CliError('shared-mailbox', 'Several people may use this mailbox: give contacts/<id>.');
  const { services, policy } = connection;
  const identifiers = 'id' in named ? [] : identifierKeys({ emails: [named.email] }, services.digest).sure;
  const start = 'id' in named ? { record: recordKey(named) } : { identifiers };
  const exported = await exportSubject({ ...services, policy }, start);
  if (!exported) throw await nothingStored(services, identifiers);
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

/** The person may be on the suppression list all the same. */
async function nothingStored(
  { forgetting }: Connection['services'],
  identifiers: readonly string[],
): Promise<CliError> {
  const isForgotten = (await forgetting.suppressionList.among(identifiers)).length > 0;
  const list = isForgotten ? ' The person was forgotten, and is never looked up.' : '';
  return new CliError('no-person', `No data about this person is stored.${list}`, {
    params: { isForgotten },
  });
}

/**
 * Creates a file that only its owner can read. It does not replace an existing file, because other users could be
 * able to read that one.
 */
async function writeExport(path: string, sheet: Sheet, { json }: SubjectOptions): Promise<void> {
  const parts: string[] = [];
  const io = { out: (text: string) => parts.push(text), err: () => undefined, colours: false, isFile: true };
  if (json) printJson(io, sheet.json);
  else await printSheet(io, sheet, {});
  try {
    await writeFile(path, parts.join(''), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CliError('file-exists', `${path} already exists. Choose another name for --out.`);
    throw error;
  }
}

function bodyOf(held: SubjectExport): Lines {
  const { records, answers, writes, requests, recipients, forgottenAt } = held;
  const { firstObtainedAt, lastObtainedAt } = held;
  return [
    forgottenAt && `The person was forgotten at ${forgottenAt}. Only the proof of the lookups is left.`,
    firstObtainedAt
      ? `Data were first obtained at ${firstObtainedAt}, last at ${lastObtainedAt}.`
      : 'No stored data has a known source.',
    '\nValues in HubSpot that the enrichment wrote and that are unchanged:',
    ...records.flatMap(({ record, mergedFrom, values, keptUntil }) => [
      `${record}${mergedFrom.length > 0 ? ` (merged from ${mergedFrom.join(', ')})` : ''}: ${keptUntil}`,
      {
        columns: ['property', 'value'],
        rows: Object.entries(values),
        empty: forgottenAt ? 'Not known any more: the proof that values are ours was deleted.' : 'none',
      },
    ]),
    records.length === 0 && 'none',
    `\nStored answers: ${counted(answers.length, 'answer')}`,
    ...answers.flatMap(({ operation, obtainedAt, keptUntil, values }) => [
      `${label(operation)}, obtained ${obtainedAt} from the data service, kept until ${keptUntil}`,
      {
        columns: ['field', 'value'],
        rows: Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      },
    ]),
    '\nLookups, with their identifiers and results:',
    {
      columns: ['at', 'source', 'operation', 'purpose', 'sent', 'fields received', 'for'],
      rows: requests.map(
        ({ at, source, operation, purpose = '', sent, fields, isUnanswered, record, times }) => [
          times === undefined ? at : `${at}, ${times} times`,
          ...[source, label(operation), purpose, sent.join(', ')],
          ...[isUnanswered ? 'no answer came' : fields.join(', ') || 'none', record ?? ''],
        ],
      ),
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
    '\nNot searched: answers that only a phone, a name or a shared mailbox connects with the person.',
  ];
}

export function addForget(program: SheetCommand): void {
  program
    .command('forget <person>')
    .description('delete a person for good; give an email, contacts/<id> or its HubSpot URL')
    .yes('agree beforehand; it cannot be undone')
    .example('contacts/123 --yes')
    .sheet(forget);
}

async function forget(run: CommandRun, _: CommandOptions, words: string): Promise<Sheet> {
  const connection = await run.connect();
  const named = await namePerson(connection, words);
  const { services } = connection;
  await run.agree(
    'All data stored here about this person will be deleted for good, and the person is never looked up again. Nothing takes this back. HubSpot does not change',
  );
  const known =
    'id' in named
      ? await identifiersOf(services, named)
      : allKeys(identifierKeys({ emails: [named.email] }, services.digest));
  const forgotten = await forgetPerson(services.forgetting, known);
  const { answers, entries, identifiers } = forgotten;
  const own = 'id' in named ? [recordKey(named)] : [];
  const records = [...new Set([...own, ...forgotten.records])].map(shownKey);
  const isKnown = records.length + answers + entries > 0;
  const removed = [counted(records.length, 'record'), counted(answers, 'answer'), counted(entries, 'entry')];
  return {
    json: { records, answers, entries, identifiers, isKnown },
    body: [
      isKnown
        ? `Removed the person from ${removed.join(', ')} of lists.`
        : 'No data about this person is stored here. Check the spelling.',
      records.length > 0 && `HubSpot still has what it holds of ${records.join(', ')}: delete it there.`,
      `${counted(identifiers, 'identifier')} will not be looked up again.`,
    ],
  };
}

/**
 * Marks the record's person as erased ("forgotten").
 * @returns the identifiers of its person.
 * @throws CliError if no data about the record is stored
 */
async function identifiersOf(
  { forgetting, records }: Connection['services'],
  record: RecordName,
): Promise<readonly string[]> {
  if (!(await records.read(recordKind.key(record)))) {
    const message = 'No data about this record is stored. If you know the email, forget that.';
    throw new CliError('no-record', message);
  }
  return forgetting.forgetRecord(recordKey(record));
}

/** Later than the due date of any notice, so that the search returns all notices. */
const ALL_MS = Date.UTC(2200, 0, 1);

const COLUMNS = ['contact', 'due', 'overdue', 'obtained', 'source', 'link'] as const;

/** `privacy notices`: lists contacts that have not received their notice yet. Shows no names. */
async function listNotices(
  run: CommandRun,
  { overdue = false }: CommandOptions & { readonly overdue?: boolean },
): Promise<Sheet> {
  const { services, clock, policy, hubSpotSite } = await run.connect();
  const nowMs = clock.now();
  const today = utcDay(nowMs);
  const hubSpot = hubSpotPages(hubSpotSite, (await services.portal.known())?.portalId);
  const found: Notice[] = [];
  let shownDone: ((done: number) => void) | undefined;
  for await (const { notices, total } of unsentNotices(services, { dueByMs: overdue ? nowMs : ALL_MS })) {
    shownDone ??= run.progress({ noun: 'contacts', total });
    found.push(...notices);
    shownDone(found.length);
  }
  const listed = found.filter(({ dueDay }) => !overdue || dueDay < today);
  const forgotten = listed.filter(({ isForgotten }) => isForgotten).map(({ id }) => `contacts/${id}`);
  const notices = listed
    .filter(({ isForgotten }) => !isForgotten)
    .sort((a, b) => (a.dueDay < b.dueDay ? -1 : Number(a.dueDay > b.dueDay)))
    .map(({ id, dueDay, firstAt, operation }) => ({
      contact: `contacts/${id}`,
      due: dueDay,
      overdue: dueDay < today,
      obtained: firstAt,
      source: operation === '' ? 'data service' : `data service, ${label(operation)}`,
      ...(hubSpot && { link: hubSpot.record({ objectType: 'contacts', id }) }),
    }));
  const late = notices.filter((each) => each.overdue).length;
  return {
    json: { today, due: notices.length, overdue: late, notices, forgotten },
    body: [
      `${counted(notices.length, 'notice')} not sent, ${late} of them overdue.`,
      tableOf(
        COLUMNS,
        notices.map((each) => ({ ...each, overdue: each.overdue ? 'yes' : '' })),
      ),
      forgotten.length !== 0 && {
        columns: ['contact of a forgotten person', 'what to do'],
        rows: forgotten.map((contact) => [contact, 'no notice is needed: delete it in HubSpot']),
      },
    ],
    notes: [
      'Fill enrichment_notice_sent_at when the person was informed. A workflow can do this.',
      policy.privacy.notice.length === 0 &&
        'The policy has no rules for notices (privacy.notice), so no new one becomes due.',
    ],
  };
}
