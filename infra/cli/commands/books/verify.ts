import { readLog, verifyLog } from '#shared/credit-ledger';
import { counted } from '#shared/kernel';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { type Verified, verifyFile } from './verify-file.ts';

/** Replays the ledger and lists its problems. @param file an export to verify instead of the ledger */
export async function verify(
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
  const ok = problems.length === 0;
  const found = ok ? 'all hold' : `${counted(problems.length, 'problem')} found`;
  return {
    json: { ok, entries, problems, lifetime, month },
    body: [
      ...problems.map(({ seq, problem }) => (seq === undefined ? problem : `Entry ${seq}: ${problem}`)),
      `${counted(entries, 'entry')}, ${found}; ${amounts(lifetime)}.`,
      ...(month !== undefined && ok ? [`The statement of ${month} matches the entries.`] : []),
      ...(file !== undefined && month === undefined && ok ? [ONLY_WITH_STATEMENT] : []),
    ],
    exit: ok ? EXIT.ok : EXIT.failed,
  };
}

const ONLY_WITH_STATEMENT =
  'Without --statement, this does not show whether entries are missing at the end of the file.';

async function verifyBooks(run: CommandRun): Promise<Verified> {
  const { services } = await run.connect();
  const { digest, ledgerStore } = services;
  // The records of sent requests (witnesses) are read before the ledger. So the ledger must have an entry for each of
  // them.
  const witnesses = await services.sentEntries();
  return verifyLog(readLog(ledgerStore), { digest, witnesses });
}

function amounts(totals: { posted: number; pending: number; doubtful: number }): string {
  const { posted, pending, doubtful } = totals;
  return `${counted(posted, 'credit')} posted, ${pending} pending, ${doubtful} in doubt`;
}
