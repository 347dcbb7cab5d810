import about from '../../package.json' with { type: 'json' };
import type { Cli } from './cli.ts';
import { addBackfill } from './commands/backfill/backfill.ts';
import { addBudgets } from './commands/books/budgets.ts';
import { addDoubts } from './commands/books/doubts.ts';
import { addLedger } from './commands/books/ledger.ts';
import { addPage } from './commands/books/page.ts';
import { addSpend } from './commands/books/spend.ts';
import { addStatement } from './commands/books/statement.ts';
import { addDoctor } from './commands/installation/doctor.ts';
import { addQueue } from './commands/installation/queue.ts';
import { addRehearse } from './commands/installation/rehearse.ts';
import { addRuns } from './commands/installation/runs.ts';
import { addSetup } from './commands/installation/setup.ts';
import { addPolicy } from './commands/policy/policy.ts';
import { addPrivacy } from './commands/privacy/privacy.ts';
import { addCheckKey } from './commands/questions/check-key.ts';
import { addLookup } from './commands/questions/lookup.ts';
import { addProbe } from './commands/questions/probe.ts';
import { addSearch } from './commands/questions/search.ts';
import { addEnrich } from './commands/records/enrich.ts';
import { addExplain } from './commands/records/explain.ts';
import { addForget } from './commands/records/forget.ts';
import { addRefresh } from './commands/records/refresh.ts';
import { addUndo } from './commands/records/undo.ts';
import { addUnmapped } from './commands/records/unmapped.ts';
import { addReview } from './commands/review/review.ts';
import type { InstallationOptions } from './connection/connection.ts';
import { SheetCommand } from './sheet-command.ts';
import { text } from './terminal/option-values.ts';
import { argumentRefusal } from './terminal/refusals.ts';

const ABOUT = [
  "The operator's commands. Without settings they work on the stand-ins; with DATA_SERVICE_BASE_URL,",
  'DATA_SERVICE_API_KEY, HUBSPOT_ACCESS_TOKEN, HUBSPOT_CLIENT_SECRET and CREDITS_PER_DAY on the real services.',
].join(' ');

const CODES = `
Exit codes: 0 done, 1 failed, or an assumption differs, 2 wrong argument or
setting, 3 refused by a budget or to retry later, 4 not found. With --json or
--csv, only the result is on standard output; messages to a person are on
standard error.
`;

/** Creates the program with all commands. An error is thrown and does not end the process. */
export function createProgram(cli: Cli): SheetCommand {
  const { io } = cli;
  const program = new SheetCommand(cli, 'crm-enrichment')
    .description(ABOUT)
    .addHelpText('after', CODES)
    .version(about.version, '--version');
  addSettings(program, io);
  addStack(program);
  for (const add of COMMANDS) add(program);
  return program;
}

/** Commands in the order of the help. */
const COMMANDS: readonly ((program: SheetCommand) => void)[] = [
  addDoctor,
  addSetup,
  addRehearse,
  addEnrich,
  addRefresh,
  addLookup,
  addSearch,
  addCheckKey,
  addProbe,
  addSpend,
  addPage,
  addBudgets,
  addStatement,
  addExplain,
  addUndo,
  addUnmapped,
  addForget,
  addPrivacy,
  addBackfill,
  addLedger,
  addDoubts,
  addReview,
  addQueue,
  addRuns,
  addPolicy,
];

/** Adds options that can stand before or after the words of a command. */
function addStack(program: SheetCommand): void {
  const about = 'work on a deployed stack: its tables, queues, secrets and policy';
  program
    .option('--stack <name>', about, text)
    .option('--policy <file>', 'a policy file other than infra/policy.ts', text)
    .option('--verbose', 'show where an error came from')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 });
  program.hook('preAction', () => {
    const { stack, policy } = program.opts<InstallationOptions>();
    if (stack !== undefined && policy !== undefined)
      throw argumentRefusal('policy-of-stack', { option: '--policy' });
  });
}

function addSettings(program: SheetCommand, io: Cli['io']): void {
  program.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    getOutHasColors: () => io.colours,
    getErrHasColors: () => false,
    getOutHelpWidth: () => io.width ?? 80,
    getErrHelpWidth: () => io.width ?? 80,
    outputError: (text, write) => write(text.replace(/^error: /, '')),
  });
}
