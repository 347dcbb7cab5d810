import { readLog, verifyLog } from '#shared/credit-ledger';
import { counted } from '#shared/kernel';
import type { Cli } from '../../cli.ts';
import { EXIT, usageError } from '../../terminal/exit.ts';
import { type OutputOptions, printJson } from '../../terminal/output.ts';
import { type Verified, verifyFile } from './verify-file.ts';

interface Verifying extends OutputOptions {
  /** An export, instead of the books themselves. */
  readonly file?: string | undefined;
  readonly statement?: string;
}

/** Replays the log and tells what does not hold. */
export async function verify(cli: Cli, { file, statement, json }: Verifying): Promise<void> {
  if (statement !== undefined && file === undefined)
    throw usageError(
      'A statement is held against a file: ledger verify ledger.jsonl --statement statement.json',
    );
  if (file !== undefined) cli.io.err(`file ${file} (no installation)\n`);
  const report = await (file === undefined ? verifyBooks(cli) : verifyFile(file, statement));
  const { entries, problems, totals, month } = report;
  if (problems.length > 0) cli.end(EXIT.failed);
  const { lifetime } = totals;
  if (json) return printJson(cli.io, { ok: problems.length === 0, entries, problems, lifetime });
  for (const { seq, problem } of problems)
    cli.io.out(seq === undefined ? `${problem}\n` : `Entry ${seq}: ${problem}\n`);
  const found = problems.length === 0 ? 'all hold' : `${counted(problems.length, 'problem')} found`;
  cli.io.out(`${counted(entries, 'entry').replace(/ys$/, 'ies')}, ${found}; ${amounts(lifetime)}.\n`);
  if (month !== undefined && problems.length === 0)
    cli.io.out(`The statement of ${month} is what they come to.\n`);
}

function verifyBooks(cli: Cli): Promise<Verified> {
  return cli.connected(async ({ services }) => {
    const { digest, ledger, ledgerStore } = services;
    // First: what is sent meanwhile has an entry that the log is read up to.
    const witnesses = await services.sentEntries();
    const log = readLog(ledgerStore, ledger.account);
    return verifyLog(log, { digest, witnesses });
  });
}

function amounts(totals: { posted: number; pending: number; doubtful: number }): string {
  const { posted, pending, doubtful } = totals;
  return `${counted(posted, 'credit')} posted, ${pending} pending, ${doubtful} in doubt`;
}
