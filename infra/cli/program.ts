import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { SettingsError } from '../local/settings.ts';
import type { Cli } from './cli.ts';
import { backfillCommand } from './commands/backfill/backfill.ts';
import { addBudgets } from './commands/books/budgets.ts';
import { doubtsCommand } from './commands/books/doubts.ts';
import { ledgerCommand } from './commands/books/ledger.ts';
import { addSpend } from './commands/books/spend.ts';
import { addStatement } from './commands/books/statement.ts';
import { addDoctor } from './commands/installation/doctor.ts';
import { queueCommand } from './commands/installation/queue.ts';
import { runsCommand } from './commands/installation/runs.ts';
import { addSetup } from './commands/installation/setup.ts';
import { policyCommand } from './commands/policy/policy.ts';
import { addCheckKey } from './commands/questions/check-key.ts';
import { lookupCommand } from './commands/questions/lookup.ts';
import { addProbe } from './commands/questions/probe.ts';
import { searchCommand } from './commands/questions/search.ts';
import { addEnrich } from './commands/records/enrich.ts';
import { addExplain } from './commands/records/explain.ts';
import { addForget } from './commands/records/forget.ts';
import { addRefresh } from './commands/records/refresh.ts';
import { addUndo } from './commands/records/undo.ts';
import { addUnmapped } from './commands/records/unmapped.ts';
import { reviewCommand } from './commands/review/review.ts';
import { text } from './terminal/option-values.ts';

const ABOUT = [
  "The operator's commands. Without settings they work on the stand-ins; with DATA_SERVICE_BASE_URL,",
  'DATA_SERVICE_API_KEY, HUBSPOT_ACCESS_TOKEN, HUBSPOT_CLIENT_SECRET and CREDITS_PER_DAY on the real services.',
].join(' ');

const CODES = `
Exit codes: 0 done, 1 failed, 2 wrong argument or setting, 3 refused by a
budget or to be tried later, 4 not found. With --json or --csv nothing but the
result is on standard output; what is said to a person is on standard error.
`;

/** All commands. Throws instead of ending the process. */
export function createProgram(cli: Cli): Command {
  const { io } = cli;
  const program = new Command('crm-enrichment')
    .description(ABOUT)
    .addHelpText('after', CODES)
    .version(about.version, '--version');
  addSettings(program, io);
  addStack(program, cli);
  addDoctor(program, cli);
  addSetup(program, cli);
  addEnrich(program, cli);
  addRefresh(program, cli);
  for (const group of [lookupCommand(cli), searchCommand(cli)]) addGroup(program, group);
  addCheckKey(program, cli);
  addProbe(program, cli);
  addSpend(program, cli);
  addBudgets(program, cli);
  addStatement(program, cli);
  addExplain(program, cli);
  addUndo(program, cli);
  addUnmapped(program, cli);
  addForget(program, cli);
  for (const group of [
    backfillCommand(cli),
    ledgerCommand(cli),
    doubtsCommand(cli),
    reviewCommand(cli),
    queueCommand(cli),
    runsCommand(cli),
    policyCommand(cli),
  ])
    addGroup(program, group);
  return program;
}

/** Known before and after the words of a command. */
function addStack(program: Command, cli: Cli): void {
  const about = 'work on a deployed stack: its tables, queues, secrets and policy';
  program
    .option('--stack <name>', about, text)
    .option('--policy <file>', 'another policy than that of infra/policy.ts', text)
    .option('--verbose', 'tell where an error came from')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 });
  program.hook('preAction', () => {
    const { stack, policy } = program.opts<{ stack?: string; policy?: string }>();
    if (stack !== undefined && policy !== undefined)
      throw new SettingsError('A stack has a policy of its own: leave out --policy, or deploy with another.');
    if (stack !== undefined) cli.chooseStack(stack);
    if (policy !== undefined) cli.choosePolicy(policy);
  });
}

function addSettings(program: Command, io: Cli['io']): void {
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

/** A group is made on its own, so it has to be given what its parent settled. */
function addGroup(program: Command, group: Command): void {
  program.addCommand(group.copyInheritedSettings(program));
  for (const command of group.commands) command.copyInheritedSettings(program);
}
