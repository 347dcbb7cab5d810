import { createReadStream } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  buildStatement,
  canonical,
  jsonLine,
  type LedgerEntry,
  LOG_PROBLEMS,
  type LogReport,
  ledgerEntrySchema,
  statedMonth,
  verifyLog,
  withUnknown,
} from '#shared/credit-ledger';
import { command, parseJson, wording } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { CliError } from '../../terminal/exit.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';
import { statementHeadSchema } from './schemas.ts';

/** Result of verifying a ledger export and, if given, its statement. */
export interface Verified extends Omit<LogReport, 'problems'> {
  /** A statement that differs has no number of an entry. */
  readonly problems: readonly (Omit<LogReport['problems'][number], 'seq'> & { readonly seq?: number })[];
  /** Month of the statement that was compared. */
  readonly month?: string;
}

/**
 * Replays an export from its first line. If a statement is given, computes it again from the export and compares
 * both. Reads only these files.
 * @throws CliError if a file cannot be read, or a line is not an entry.
 */
export async function verifyFile(path: string, statementPath: string | undefined): Promise<Verified> {
  await requireReadable('<file>', path);
  if (statementPath !== undefined) await requireReadable('--statement', statementPath);
  const given = statementPath === undefined ? undefined : await readStatementFile(statementPath);
  // The digest's secret is not used here, because entry hashes need no secret.
  const digest = createDigest('not used: only hashes by SHA-256');
  const report = await verifyLog(entriesOf(path), { digest });
  if (!given || report.problems.length > 0) return report;
  const { month } = given.head;
  const made = await statementOf(path, given.head);
  if (canonical(made) === canonical(given.statement)) return { ...report, month };
  const code = 'statement-differs';
  return { ...report, month, problems: [{ code, problem: LOG_PROBLEMS[code] }] };
}

async function requireReadable(option: string, path: string): Promise<void> {
  const isReadable = await access(path, constants.R_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  );
  if (!isReadable) throw argumentRefusal('unreadable-file', { option, path });
}

type Head = ReturnType<typeof statementHeadSchema.parse>;

async function statementOf(path: string, { month, soFar, before, last }: Head) {
  // A statement of an unfinished month ends at its last entry. The export can have later entries, which are left out.
  const lastSeq = soFar === undefined ? Number.POSITIVE_INFINITY : (last?.seq ?? before?.seq ?? 0);
  let account = '';
  const range = { fromSeq: 1, toSeq: 0 };
  for await (const entry of upTo(entriesOf(path), lastSeq)) {
    account = entry.account;
    if (statedMonth(entry) < month) range.fromSeq = entry.seq + 1;
    if (statedMonth(entry) <= month) range.toSeq = entry.seq;
  }
  return buildStatement(entriesOf(path), { account, month, soFar, range });
}

async function* upTo(entries: AsyncIterable<LedgerEntry>, lastSeq: number): AsyncGenerator<LedgerEntry> {
  for await (const entry of entries) {
    if (entry.seq > lastSeq) return;
    yield entry;
  }
}

/** Reads the entries of an export. @throws CliError if a line is not exactly as `ledger export --json` writes it */
async function* entriesOf(path: string): AsyncGenerator<LedgerEntry> {
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    const { data: entry } = ledgerEntrySchema.safeParse(withUnknown(parseJson(text)));
    if (!entry || jsonLine(entry) !== `${text}\n`)
      throw new CliError(
        wording`Line ${line} of ${path} is not an entry of ${command('ledger export --json')}`,
        {
          code: 'no-entry',
          params: { line },
        },
      );
    yield entry;
  }
}

async function readStatementFile(path: string): Promise<{ head: Head; statement: unknown }> {
  const statement = parseJson(await readFile(path, 'utf8'));
  const { data: head } = statementHeadSchema.safeParse(statement);
  if (!head) throw argumentRefusal('not-a-statement', { option: '--statement', path });
  return { head, statement };
}
