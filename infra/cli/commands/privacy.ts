import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { readLog } from '#shared/credit-ledger';
import { isAboutPerson, type RecordName, recordKey } from '#shared/crm';
import {
  dueRecords,
  mayBeDue,
  type ObtainedIn,
  planRemovals,
  recallValues,
  removeValues,
} from '#shared/extensions/take-back';
import { mailAddress } from '#shared/identity';
import { command, counted, inChunks, instant, utcDay, wording } from '#shared/kernel';
import { exportSubject, type Notice, type SubjectExport, unsentNotices } from '#shared/privacy';
import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { recordKind, wantedGroups } from '#shared/records';
import { hubSpotPages, label } from '#shared/spend';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { moment, text } from '../terminal/refusals.ts';
import { type Lines, printJson, printSheet, type Sheet, tableOf } from '../terminal/sheet.ts';
import { enrichmentServices } from './enrich.ts';
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
  privacy
    .command('retention')
    .description(
      'empty the values that are past their retention period (privacy.retention); cannot be undone',
    )
    .option('--dry-run', 'list what would be emptied by which rule, without values, and change nothing')
    .yes('agree beforehand; it cannot be undone')
    .example('--dry-run')
    .sheet(retention);
  privacy
    .command('recall')
    .description(
      'empty every value of a source that is still ours, and delete its stored answers; cannot be undone',
    )
    .addOption(new Option('--source <name>', 'whose values').choices(['data-service']).makeOptionMandatory())
    .option('--from <time>', 'only what was obtained from this time on, such as 2026-11-21T09:00Z', moment)
    .option('--to <time>', 'only what was obtained up to this time; now by default', moment)
    .yes('agree beforehand; it cannot be undone')
    .example('--source data-service --from 2026-11-01')
    .sheet(recall);
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
  const start =
    'id' in named
      ? { record: recordKey(named) }
      : { identifiers: identifierKeys({ emails: [named.email] }, services.digest).sure };
  const exported = await exportSubject({ ...services, policy }, start);
  if (!exported) throw new CliError('no-person', 'No data about this person is stored.');
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
      columns: ['at', 'source', 'operation', 'sent', 'fields received', 'for'],
      rows: requests.map(({ at, source, operation, sent, fields, isUnanswered, record, times }) => [
        times === undefined ? at : `${at}, ${times} times`,
        ...[source, label(operation), sent.join(', ')],
        ...[isUnanswered ? 'no answer came' : fields.join(', ') || 'none', record ?? ''],
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
  await run.agree('All data stored here about this person will be deleted for good. HubSpot does not change');
  const known =
    'id' in named
      ? await identifiersOf(services, named)
      : allKeys(identifierKeys({ emails: [named.email] }, services.digest));
  const forgotten = await forgetPerson(services.forgetting, known);
  const { answers, entries, identifiers } = forgotten;
  const own = 'id' in named ? [recordKey(named)] : [];
  const records = [...new Set([...own, ...forgotten.records])].map((key) => key.replace('#', '/'));
  const removed = [counted(records.length, 'record'), counted(answers, 'answer'), counted(entries, 'entry')];
  return {
    json: { records, answers, entries, identifiers },
    body: [
      `Removed the person from ${removed.join(', ')} of lists.`,
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

interface ExpiredRecord {
  readonly rule: string;
  readonly record: string;
  readonly values: number;
  /** Why some of our values were not emptied. */
  readonly open?: string;
}

/** HubSpot returns the history of at most 50 records in one request. */
const GROUP_SIZE = 50;
/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN = 20;

/** Runs the sweep's daily retention now. */
async function retention(
  run: CommandRun,
  { dryRun = false }: CommandOptions & { readonly dryRun?: boolean },
): Promise<Sheet> {
  const connection = await run.connect();
  if (!dryRun) {
    const what =
      'Values past their retention period will be emptied in HubSpot, and deleted from our answers and journal';
    await run.agree(`${what}. This cannot be undone`);
    run.resumesWith(command('privacy retention'));
  }
  const { records, unreadable, pausedUntilMs } = await expire(run, connection, dryRun);
  const rules = [...Map.groupBy(records, ({ rule }) => rule)].map(([rule, list]) => ({
    rule,
    records: list.length,
    values: list.reduce((sum, { values }) => sum + values, 0),
  }));
  const rows = records.slice(0, SHOWN).map(({ record, rule, values, open }) => {
    const done = dryRun ? 'would be emptied' : 'emptied';
    return [record, rule, counted(values, 'value'), open === undefined ? done : `will be retried: ${open}`];
  });
  const more = records.length - SHOWN;
  return {
    json: {
      dryRun,
      rules,
      records,
      unreadable: [...unreadable].map(([rule, property]) => ({ rule, property })),
      pausedUntil: pausedUntilMs === undefined ? undefined : new Date(pausedUntilMs).toISOString(),
    },
    body: [
      {
        columns: ['rule', 'records', 'values'],
        rows: rules.map((sum) => [sum.rule, String(sum.records), String(sum.values)]),
        empty: 'No value is past its retention period.',
      },
      rows.length > 0 && { columns: ['record', 'rule', 'values', 'what'], rows },
      more > 0 && `and ${more} more; --json lists them all.`,
      ...[...unreadable].map(
        ([rule, property]) =>
          `The rule "${rule}" reads ${property}, which HubSpot does not have: its values are kept.`,
      ),
      pausedUntilMs !== undefined &&
        `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, connection.policy.timeZone)}. The sweep continues after this time.`,
    ],
    exit: pausedUntilMs === undefined && !records.some(({ open }) => open) ? EXIT.ok : EXIT.refused,
  };
}

async function expire(run: CommandRun, connection: Connection, dryRun: boolean) {
  const { policy, clock } = connection;
  const services = await enrichmentServices(connection);
  const records: ExpiredRecord[] = [];
  // The missing property by rule, for rules that read one.
  const unreadable = new Map<string, string>();
  const show = run.progress({ noun: 'records' });
  const isWanted = (state: Parameters<typeof mayBeDue>[1]) => mayBeDue(policy, state, clock.now());
  for await (const { objectType, states, seen } of wantedGroups(services, isWanted)) {
    for (const group of inChunks(states, GROUP_SIZE)) {
      show(seen);
      const pausedUntilMs = await services.crm.pausedUntil('bulk');
      if (pausedUntilMs !== undefined) return { records, unreadable, pausedUntilMs };
      const found = await dueRecords(services, objectType, group);
      const { due } = found;
      for (const { rule, missing } of found.unreadable) unreadable.set(rule, missing);
      if (due.length === 0) continue;
      const done = dryRun
        ? (await planRemovals(services, objectType, due)).map(({ values }) => ({ removed: values }))
        : await removeValues(services, objectType, due);
      due.forEach(({ state, wish }, at) => {
        const result = done[at];
        const values = result && 'removed' in result ? Object.keys(result.removed).length : 0;
        const open = result && 'kind' in result ? openWords(result) : undefined;
        const record = { rule: wish.rule ?? 'recall', record: `${objectType}/${state.id}`, values };
        records.push({ ...record, ...(open !== undefined && { open }) });
      });
    }
  }
  return { records, unreadable, pausedUntilMs: undefined };
}

function openWords(result: Awaited<ReturnType<typeof removeValues>>[number]): string | undefined {
  if (result.kind === 'open') return result.reason;
  return result.kind === 'busy' ? 'a worker has the record' : undefined;
}

interface RecallOptions extends CommandOptions {
  readonly source: string;
  readonly from?: number;
  readonly to?: number;
}

/** Removes all values that came from a source. */
async function recall(run: CommandRun, { source, from, to }: RecallOptions): Promise<Sheet> {
  const connection = await run.connect();
  const { policy, clock } = connection;
  const obtained = { fromMs: from ?? 0, toMs: to ?? clock.now() };
  if (obtained.fromMs > obtained.toMs) throw new CliError('from-after-to', '--from is later than --to.');
  const when = from === undefined ? 'until' : `from ${instant(from, policy.timeZone)} to`;
  await run.agree(
    `Every value that ${source} gave ${when} ${instant(obtained.toMs, policy.timeZone)} will be emptied in HubSpot if it is unchanged. Its answers and journal entries will be deleted. This cannot be undone`,
  );
  const isoTime = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  const start = from === undefined ? '' : ` --from ${isoTime(from)}`;
  // Rounded up, because `--to` accepts only whole seconds.
  const again = command(`privacy recall --source ${source}${start} --to ${isoTime(obtained.toMs + 999)}`);
  run.resumesWith(again);
  const services = await enrichmentServices(connection);
  const report = await recallValues(services, {
    obtained,
    questions: () => chargedQuestions(connection, obtained),
    onProgress: run.progress({ noun: 'records' }),
  });
  const { answers, records, values, open, forgotten, pausedUntilMs } = report;
  const isWhole = pausedUntilMs === undefined && open.length === 0;
  return {
    json: { source, from: isoTime(obtained.fromMs), to: isoTime(obtained.toMs), ...report },
    body: [
      `Recalled: ${counted(values, 'value')} emptied in ${counted(records, 'record')}, ${counted(answers, 'stored answer')} purged.`,
      open.length !== 0 && {
        columns: ['record', 'not complete, because'],
        rows: open.map(({ record, reason }) => [record, reason]),
      },
      forgotten.length !== 0 && {
        columns: ['record of a forgotten person', 'what to do'],
        rows: forgotten.map((record) => [record, 'check its values in HubSpot, or delete it there']),
      },
      pausedUntilMs !== undefined &&
        `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, policy.timeZone)}.`,
    ],
    notes: isWhole ? [] : [wording`To continue: ${again}`],
    exit: isWhole ? EXIT.ok : EXIT.refused,
  };
}

/** Keys of the questions charged in this period, without duplicates. */
async function* chargedQuestions(
  { services: { ledgerStore } }: Connection,
  { fromMs }: ObtainedIn,
): AsyncGenerator<string> {
  const known = new Set<string>();
  for await (const { questionKey, atMs } of readLog(ledgerStore)) {
    // Entries after the period are read too, because a charge can be booked days after its request.
    if (questionKey === undefined || atMs < fromMs || known.has(questionKey)) continue;
    known.add(questionKey);
    yield questionKey;
  }
}
