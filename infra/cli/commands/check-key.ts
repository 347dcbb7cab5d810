import type { Command } from 'commander';
import { type AskingOptions, waitMsOf, withWait } from '../asking-options.ts';
import type { Cli } from '../cli.ts';
import { example } from '../example.ts';
import { checkKey } from '../key-check.ts';
import { printJson, printRecord, withJson } from '../output.ts';

/** `check-key`: whose key is this? Free, but it takes a share of the rate like any other request. */
export function addCheckKey(program: Command, cli: Cli): void {
  withWait(withJson(program.command('check-key').description('whose key is this? Free')))
    .addHelpText('after', example('check-key'))
    .action((options: Pick<AskingOptions, 'json' | 'wait'>) =>
      cli.connected(async (connection) => {
        const workspace = await checkKey(connection, { waitMs: waitMsOf(options), signal: cli.io.signal });
        if (options.json) return printJson(cli.io, { workspace, credits: 0 });
        printRecord(cli.io, { record: workspace, chosen: ['name', 'id', 'user_id'] }, {});
        cli.io.out('Cost: 0 credits.\n');
      }),
    );
}
