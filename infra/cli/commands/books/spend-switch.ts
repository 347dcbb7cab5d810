import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { noteText } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson } from '../../terminal/output.ts';

interface StopOptions extends OutputOptions {
  readonly reason: string;
  readonly who?: string;
}

/** `spend stop|resume`: the switch for people. `--json` is an option of `spend`, which takes it from them. */
export function addSpendSwitch(spend: Command, cli: Cli): void {
  spend
    .command('stop')
    .description('buy nothing more until spend resume; stored answers are still used')
    .requiredOption('--reason <text>', 'why, for everyone who sees the stop; no personal data', noteText)
    .option('--who <role>', 'a role or a team, such as "sales operations"', noteText)
    .addHelpText('after', example('spend stop --reason "budget review"'))
    .action((_: unknown, command: Command) => stop(cli, command.optsWithGlobals()));
  spend
    .command('resume')
    .description('buy again after spend stop')
    .addHelpText('after', example('spend resume'))
    .action((_: unknown, command: Command) => resume(cli, command.optsWithGlobals()));
}

async function stop(cli: Cli, { reason, who: by, json }: StopOptions): Promise<void> {
  await cli.connected(async ({ services }) => {
    const { stopped } = await services.questions.breakers.stop({ reason, by });
    if (json) return printJson(cli.io, { stopped });
    cli.io.out('Spending is stopped. Requests in flight finish and are booked; no new one is sent.\n');
    cli.io.out('To go on: spend resume.\n');
  });
}

async function resume(cli: Cli, { json }: OutputOptions): Promise<void> {
  await cli.connected(async ({ services }) => {
    const { stopped } = await services.questions.breakers.resume();
    if (json) return printJson(cli.io, { resumed: stopped !== undefined });
    cli.io.out(
      stopped
        ? 'Spending goes on. Waiting records are tried again within 5 minutes.\n'
        : 'No person had stopped spending; see spend for other stops.\n',
    );
  });
}
