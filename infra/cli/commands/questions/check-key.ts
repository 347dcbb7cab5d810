import type { Command } from 'commander';
import { DataServiceError, type Workspace } from '#shared/data-service';
import { askForKey } from '../../../local/key-check.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { printJson, printRecord, withJson } from '../../terminal/output.ts';
import { type AskOptions, waitMsOf, withWait } from './ask-options.ts';

/** `check-key`: whose key is this? Free, but it takes a share of the rate like any other request. */
export function addCheckKey(program: Command, cli: Cli): void {
  withWait(withJson(program.command('check-key').description('whose key is this? Free')))
    .addHelpText('after', example('check-key'))
    .action((options: Pick<AskOptions, 'json' | 'wait'>) =>
      cli.connected(async (connection) => {
        const workspace = await checkKey(connection, { waitMs: waitMsOf(options), signal: cli.io.signal });
        if (options.json) return printJson(cli.io, { workspace, credits: 0 });
        printRecord(cli.io, { record: workspace, chosen: ['name', 'id', 'user_id'] }, {});
        cli.io.out('Cost: 0 credits.\n');
      }),
    );
}

/** Asks the data service whose key this is. */
async function checkKey(
  { services }: Connection,
  asking: { waitMs: number; signal: AbortSignal | undefined },
): Promise<Workspace> {
  const answer = await askForKey({ services, ...asking }).catch((error: unknown) => {
    throw failureOf(error);
  });
  if (answer.kind === 'accepted') return answer.workspace;
  throw new CliError('The data service takes no more requests this minute.', {
    exit: EXIT.refused,
    code: 'rate-limit',
    untilMs: answer.atMs,
  });
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof DataServiceError) || error.code !== 'DATA_SERVICE_UNAUTHORIZED') return error;
  const message = 'The data service does not accept the key; set DATA_SERVICE_API_KEY to an active one.';
  return new CliError(message, { exit: EXIT.usage, code: 'key-refused' });
}
