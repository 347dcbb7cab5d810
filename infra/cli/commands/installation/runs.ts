import { Command } from 'commander';
import { auditRuns } from '#shared/records';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet, withJson } from '../../terminal/output.ts';

/** `runs verify`: whether everything that was begun has ended, waits or is being worked on. */
export function runsCommand(cli: Cli): Command {
  const runs = new Command('runs').description('runs of records: opened = ended + waiting + running');
  withJson(runs.command('verify'))
    .description('goes through every record and adds its runs up')
    .addHelpText('after', example('runs verify'))
    .action((options: OutputOptions) => verify(cli, options));
  return runs;
}

async function verify(cli: Cli, { json }: OutputOptions): Promise<void> {
  await cli.connected(async ({ services }) => {
    const audit = await auditRuns(services.records);
    const { guilty, outcomes, ...counts } = audit;
    if (audit.lost > 0) cli.end(EXIT.failed);
    if (json) return printJson(cli.io, audit);
    const rows = Object.entries({ ...counts, ...outcomes }).map(([name, count]) => [name, String(count)]);
    printSheet(cli.io, { columns: ['runs', 'count'], rows, right: [1] }, {});
    if (audit.lost === 0) cli.io.out('\nEvery run that was opened has ended, waits or is being worked on.\n');
    else
      cli.io.out(
        `\n${audit.lost} are lost, at ${guilty.join(', ')}: see the runbook, "Runs do not add up".\n`,
      );
  });
}
