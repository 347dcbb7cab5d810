import { createReadStream } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Option } from 'commander';
import {
  balanceAfter,
  buildStatement,
  canonical,
  csvHeader,
  csvLine,
  isAhead,
  jsonLine,
  type LedgerEntry,
  LOG_PROBLEMS,
  type LogReport,
  ledgerEntrySchema,
  readLog,
  statedMonth,
  verifyLog,
  withUnknown,
} from '#shared/credit-ledger';
import { command, counted, dayOf, instant, parseJson, refuseWrongClock, wording } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { billOf, compareBalance, signedCredits } from '#shared/spend';
import type { Connection } from '../connection/connection.ts';
import { statementHeadSchema } from '../schemas.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { argumentRefusal, calendarDay, noteText, text, wholeNumber } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';

export function addLedger(program: SheetCommand): void {
  const ledger = program.command('ledger').description('verify, export and correct the ledger');
  ledger
    .command('verify')
    .description('verify all entries and compare them with the stored questions; exit code 1 if one is wrong')
    .argument('[file]', 'a file from ledger export --json: verifies it without any connection', text)
    .option('--statement <file>', 'with a file: a statement from statement --json to compare', text)
    .sheet(verify);
  ledger
    .command('export')
    .description('print all entries, oldest first, as CSV or JSON lines')
    .addOption(new Option('--csv', 'print CSV (default)').conflicts('json'))
    .addOption(new Option('--json', 'print one JSON object per line, for ledger verify').conflicts('csv'))
    .option('--from <seq>', 'first entry', wholeNumber(1), 1)
    .example('--from 1000 > ledger.csv')
    .sheet(exportEntries);
  ledger
    .command('grant')
    .description('book purchased credits')
    .requiredOption('--credits <number>', 'number of credits', wholeNumber(1))
    .requiredOption('--note <text>', 'such as the invoice number; kept in the ledger', noteText)
    .option('--expires <date>', 'last day on which they can be spent', calendarDay)
    .example('--credits 9000 --note 4711 --expires 2027-03-31')
    .sheet(grant);
  ledger
    .command('reconcile')
    .description("compare with the data service's balance and book the difference")
    .requiredOption('--balance <number>', 'the balance that its dashboard shows', wholeNumber(0))
    .option('--note <text>', 'who found what; kept in the ledger', noteText)
    .yes('agree beforehand')
    .example('--balance 8250')
    .sheet(reconcile);
  ledger
    .command('set-back')
    .description('correct a ledger whose time is ahead after a wrong clock')
    .requiredOption('--note <text>', 'the cause; kept in the ledger', noteText)
    .yes('agree beforehand')
    .example('--note "a laptop with a wrong clock"')
    .sheet(setBack);
}

async function exportEntries(
  run: CommandRun,
  { json, from }: CommandOptions & { readonly from: number },
): Promise<Sheet> {
  const { services } = await run.connect();
  return { stream: exported(services, { json, from }) };
}

async function* exported(
  { ledgerStore }: Connection['services'],
  { json, from }: { json: boolean | undefined; from: number },
): AsyncGenerator<string> {
  if (!json) yield csvHeader();
  const line = json ? jsonLine : csvLine;
  for await (const entry of readLog(ledgerStore, from)) yield line(entry, ledgerStore.owners);
}

type Granting = CommandOptions & {
  readonly credits: number;
  readonly note: string;
  readonly expires?: string;
};

async function grant(run: CommandRun, options: Granting): Promise<Sheet> {
  const { credits: amountCredits, note: reason, expires: expiresOn } = options;
  const { services, newId, clock, policy } = await run.connect();
  const { ledger, questions } = services;
  if (expiresOn !== undefined && expiresOn < dayOf(clock.now(), policy.timeZone))
    throw argumentRefusal('day-past', { option: '--expires', day: expiresOn });
  // The read shows the store's time.
  await ledger.newest();
  refuseWrongClock(questions);
  await ledger.apply({ kind: 'grant', id: `grant:${newId()}`, amountCredits, reason, expiresOn });
  await questions.breakers.creditsBooked();
  const until = expiresOn ? `, until ${expiresOn}` : '';
  return {
    json: { granted: amountCredits, expiresOn, seq: (await ledger.newest())?.seq },
    body: [`Booked: ${counted(amountCredits, 'credit')} bought${until}.`],
  };
}

/**
 * Compares the ledger's balance with the data service's and, if a person agrees, books the difference.
 * @param balance credits that the data service's dashboard shows
 */
async function reconcile(
  run: CommandRun,
  { balance, note }: CommandOptions & { readonly balance: number; readonly note?: string },
): Promise<Sheet> {
  const connection = await run.connect();
  const computed = await computedBalance(connection);
  const difference = balance - computed.credits;
  const comparison = compareBalance(computed, balance);
  if (comparison.kind === 'open')
    throw new CliError(comparison.code, comparison.words, {
      exit: EXIT.refused,
      params: { ...comparison.params },
    });
  if (comparison.kind === 'different') {
    await run.agree(comparison.words);
    const reason = [`reconciled with a balance of ${balance}`, note].filter(Boolean).join(': ');
    await book(connection, { difference, reason, expectedSeq: computed.seq });
  }
  const { credits: bookedDoubtCredits } = computed.bookedDoubts;
  const booked = bookedDoubtCredits > 0 ? { bookedDoubtCredits } : {};
  return {
    json: { balance, computed: computed.credits, adjusted: difference, ...booked },
    body: [difference === 0 ? 'The books agree.' : `Booked: an adjustment of ${signedCredits(difference)}.`],
  };
}

async function computedBalance({ services }: Connection) {
  const [newest, bookedDoubts] = await Promise.all([services.ledger.newest(), services.bookedDoubts()]);
  const { pending: pendingCredits = 0, doubtful: doubtfulCredits = 0 } = newest?.totals.lifetime ?? {};
  const credits = newest ? balanceAfter(newest) : 0;
  return { credits, pendingCredits, doubtfulCredits, bookedDoubts, seq: newest?.seq ?? 0 };
}

/** Books the adjustment, unless credits were booked since the comparison. The difference would then be wrong. */
async function book(
  { services: { ledger, questions }, newId }: Connection,
  { difference, reason, expectedSeq }: { difference: number; reason: string; expectedSeq: number },
): Promise<void> {
  refuseWrongClock(questions);
  if (((await ledger.newest())?.seq ?? 0) !== expectedSeq) {
    const message =
      'Credits were booked meanwhile; read the balance in the dashboard again, and repeat the command with it.';
    throw new CliError('books-moved', message);
  }
  await ledger.apply({ kind: 'adjust', id: `adjustment:${newId()}`, amountCredits: difference, reason });
  if (difference > 0) await questions.breakers.creditsBooked();
}

/** Replays the ledger and lists its problems. @param file an export to verify instead of the ledger */
async function verify(
  run: CommandRun,
  { statement }: CommandOptions & { readonly statement?: string },
  file: string | undefined,
): Promise<Sheet> {
  if (statement !== undefined && file === undefined)
    throw argumentRefusal('only-with', { option: '--statement', other: '<file>' });
  if (file !== undefined) run.say(`file ${file} (no installation)`);
  const report = await (file === undefined ? verifyBooks(run) : verifyFile(file, statement));
  const { entries, problems, totals, month } = report;
  const { lifetime } = totals;
  if (file !== undefined && entries === 0)
    throw argumentRefusal('no-entries', { option: '<file>', path: file });
  const { posted: chargedCredits, pending: pendingCredits, doubtful: doubtfulCredits } = lifetime;
  const bill = billOf({ chargedCredits, pendingCredits, doubtfulCredits });
  const ok = problems.length === 0;
  const more = problems.length - SHOWN;
  const found = ok ? 'all hold' : `${counted(problems.length, 'problem')} found`;
  return {
    json: { ok, entries, problems, lifetime, month },
    body: [
      ...problems
        .slice(0, SHOWN)
        .map(({ seq, problem }) => (seq === undefined ? problem : `Entry ${seq}: ${problem}`)),
      more > 0 && `and ${more} more; --json lists them all.`,
      `${counted(entries, 'entry')}, ${found}.`,
      bill.words,
      ok && (file === undefined ? PROVES : provesOfFile(month)),
    ],
    exit: ok ? EXIT.ok : EXIT.failed,
  };
}

/** Number of problems in the text. A damaged ledger can have hundreds. */
const SHOWN = 20;

const PROVES = wording`This proves that no entry was changed. It does not prove the bill: to compare the balance on the dashboard, use ${command('ledger reconcile')}`;

/** Somebody can compute all hashes of a file again. A statement from earlier has the hash of its last entry. */
function provesOfFile(month: string | undefined): string {
  return month === undefined
    ? 'The file agrees with itself. Whether it was rewritten, or lacks its newest entries, only a statement from earlier shows: add --statement.'
    : `The file agrees with itself and with the statement of ${month}: no entry up to its last one was changed since it was made.`;
}

async function verifyBooks(run: CommandRun): Promise<Verified> {
  const { services } = await run.connect();
  const { digest, ledgerStore } = services;
  // The witnesses are sent requests and the sums of spend. They are read before the ledger, so it must have an entry for
  // each of them. A request is the stronger witness, because the sums only repeat the ledger.
  const witnesses = new Map([...(await services.spendBook.lastEntry()), ...(await services.sentEntries())]);
  return verifyLog(readLog(ledgerStore), { digest, witnesses });
}

/** Result of verifying a ledger export and, if given, its statement. */
interface Verified extends Omit<LogReport, 'problems'> {
  /** A statement that differs has no number of an entry. */
  readonly problems: readonly (Omit<LogReport['problems'][number], 'seq'> & { readonly seq?: number })[];
  readonly month?: string;
}

/**
 * Replays an export from its first line. If a statement is given, computes it again from the export and compares
 * both. Reads only these files.
 * @throws CliError if a file cannot be read, or a line is not an entry.
 */
export async function verifyFile(path: string, statementPath: string | undefined): Promise<Verified> {
  await requireReadable('<file>', path);
  const stated = statementPath === undefined ? undefined : await readStated(statementPath);
  // The digest's secret is not used here, because entry hashes need no secret.
  const digest = createDigest('not used: only hashes by SHA-256');
  const report = await verifyLog(entriesOf(path), { digest });
  if (!stated || report.problems.length > 0) return report;
  const { month } = stated.head;
  const made = await statementOf(path, stated.head);
  if (canonical(made) === canonical(stated.statement)) return { ...report, month };
  const code = 'statement-differs';
  return { ...report, month, problems: [{ code, problem: LOG_PROBLEMS[code] }] };
}

async function readStated(path: string) {
  await requireReadable('--statement', path);
  const statement = parseJson(await readFile(path, 'utf8'));
  const head = statementHeadSchema.safeParse(statement).data;
  if (head) return { statement, head };
  throw argumentRefusal('not-a-statement', { option: '--statement', path });
}

async function requireReadable(option: string, path: string): Promise<void> {
  const isReadable = await access(path, constants.R_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  );
  if (!isReadable) throw argumentRefusal('unreadable-file', { option, path });
}

async function statementOf(
  path: string,
  { month, soFar, before, last }: ReturnType<typeof statementHeadSchema.parse>,
) {
  // A statement of an unfinished month ends at its last entry. The export can have later entries, which are left out.
  const lastSeq = soFar === undefined ? Number.POSITIVE_INFINITY : (last?.seq ?? before?.seq ?? 0);
  let account = '';
  const range = { fromSeq: 1, toSeq: 0 };
  for await (const entry of entriesOf(path)) {
    if (entry.seq > lastSeq) break;
    account = entry.account;
    if (statedMonth(entry) < month) range.fromSeq = entry.seq + 1;
    if (statedMonth(entry) <= month) range.toSeq = entry.seq;
  }
  return buildStatement(entriesOf(path), { account, month, soFar, range });
}

/** Reads the entries of an export. @throws CliError if a line is not exactly as `ledger export --json` writes it */
async function* entriesOf(path: string): AsyncGenerator<LedgerEntry> {
  let line = 0;
  const input = createReadStream(path);
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const { data: entry } = ledgerEntrySchema.safeParse(withUnknown(parseJson(text)));
    if (!entry || jsonLine(entry) !== `${text}\n`)
      throw new CliError(
        'no-entry',
        wording`Line ${line} of ${path} is not an entry of ${command('ledger export --json')}`,
        { params: { line } },
      );
    yield entry;
  }
}

async function setBack(
  run: CommandRun,
  { note }: CommandOptions & { readonly note: string },
): Promise<Sheet> {
  const { services, policy } = await run.connect();
  const newest = await services.ledger.newest();
  refuseWrongClock(services.questions);
  const nowMs = services.questions.clock.now();
  if (!newest || !isAhead(newest, nowMs)) throw notAhead();
  const [then, now] = [newest.atMs, nowMs].map((ms) => instant(ms, policy.timeZone));
  await run.agree(
    `The newest entry is dated ${then}, but it is ${now}. Entries of later days will count today. Set the books back`,
  );
  const entry = await services.ledger.setBack(note);
  if (!entry) throw notAhead();
  const { seq, day } = entry;
  return {
    json: { setBack: true, seq, day },
    body: [wording`Booked: the books are back at ${now ?? ''}. To see the budgets: ${command('budgets')}`],
  };
}

function notAhead(): CliError {
  const message = 'The books are not ahead of time by more than an hour: there is nothing to set back.';
  return new CliError('not-ahead', message);
}
