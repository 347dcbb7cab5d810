import { DataServiceError } from '#shared/vendor';
import { askForKey } from '../../../local/own-installation.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, SheetCommand } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import type { DataRecord } from '../../terminal/record-fields.ts';
import { fieldTable } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from './ask-options.ts';

/** `check-key`: shows the key's workspace. It is free, but it takes a rate-limit slot like any other request. */
export function addCheckKey(program: SheetCommand): void {
  withWait(program.command('check-key'))
    .description('test the API key and show its workspace; free')
    .sheet(async (run, options: CommandOptions & WaitOptions) => {
      const asking = { waitMs: waitMsOf(options), signal: run.signal };
      const workspace = await checkKey(await run.connect(), asking);
      return {
        json: { workspace, credits: 0 },
        body: [fieldTable(workspace, ['name', 'id', 'user_id'], {}), 'Cost: 0 credits.'],
      };
    });
}

/** Asks the data service for the key's workspace. */
async function checkKey(
  { services }: Connection,
  asking: { waitMs: number; signal: AbortSignal | undefined },
): Promise<DataRecord> {
  const answer = await askForKey({ services, ...asking }).catch((error: unknown) => {
    throw failureOf(error);
  });
  if (answer.kind === 'accepted') return answer.owner;
  throw new CliError('The data service accepts no more requests this minute. Try again in a minute.', {
    code: 'rate-limit',
    untilMs: answer.atMs,
  });
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof DataServiceError) || error.code !== 'DATA_SERVICE_UNAUTHORIZED') return error;
  const message = 'The data service does not accept the key; set DATA_SERVICE_API_KEY to an active one.';
  return new CliError(message, { code: 'key-refused' });
}
