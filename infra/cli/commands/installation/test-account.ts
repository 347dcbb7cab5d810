import { type OperatorCommand, UpstreamError } from '#shared/kernel';
import type { OpenRehearsal } from '../../../local/rehearsal/open-rehearsal.ts';
import { readRehearsalSettings } from '../../../local/settings.ts';
import type { CommandRun } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { leftBehindError } from './left-behind.ts';

const ACCOUNT_QUESTION = 'Type the id of this account to continue: ';

export interface TestAccountUse {
  /** Id of the account, in place of typing it. */
  readonly account: string | undefined;
  /** Shown before a person confirms the account: the changes that the command makes there. */
  readonly does: string;
  /** The command that continues after a failure. */
  readonly again: OperatorCommand;
}

/** Opens the account and asks a person for its id. Closes the account at the end, even after an error. */
export async function withTestAccount(
  run: CommandRun,
  use: TestAccountUse,
  work: (open: OpenRehearsal) => Promise<Sheet>,
): Promise<Sheet> {
  const { openRehearsal } = await import('../../../local/rehearsal/open-rehearsal.ts');
  const { LeftBehind } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  const { StepStopped, TokenRefused } = await import('../../../local/rehearsal/account.ts');
  let open: OpenRehearsal | undefined;
  try {
    open = await openRehearsal(readRehearsalSettings(run.env), run);
    if (open.isReal) await confirmTestAccount(run, open, use);
    else run.say('HUBSPOT_ACCESS_TOKEN is not set: the stand-in is rehearsed, in virtual time.');
    return await work(open);
  } catch (error) {
    if (error instanceof LeftBehind) throw await leftBehindError(error, use.again);
    const isRefused = error instanceof StepStopped || error instanceof UpstreamError;
    if (!isRefused || run.signal?.aborted) throw error;
    const message =
      error instanceof UpstreamError
        ? `HubSpot did not answer the rehearsal (${error.code}): check the network, then run the command again.`
        : `HubSpot did not serve the rehearsal (${error.message}): check HUBSPOT_ACCESS_TOKEN and the scopes of its app, then run the command again.`;
    const code = error instanceof TokenRefused ? 'token-refused' : 'hubspot';
    const params = { reason: error instanceof UpstreamError ? error.code : error.message };
    throw new CliError(message, { code, params });
  } finally {
    await open?.close();
  }
}

/**
 * Asks a person for the account's id. HubSpot's API returns no account name, and HubSpot's menu shows the id beside
 * the name.
 */
async function confirmTestAccount(
  run: CommandRun,
  { accountType, rehearsal }: OpenRehearsal,
  { account, does }: TestAccountUse,
): Promise<void> {
  if (accountType === 'STANDARD')
    throw new CliError(
      'This is a standard HubSpot account, with real records: use a developer test account or a sandbox.',
      { code: 'not-a-test-account' },
    );
  const { accountId: expected } = rehearsal;
  run.say(`The token belongs to HubSpot account ${expected}, of type ${accountType}.`);
  run.say(does);
  const typed = account ?? (await run.ask?.(ACCOUNT_QUESTION));
  if (typed === undefined)
    throw new CliError('There is no terminal to ask. Name the account with --account ID.', {
      code: 'not-asked',
    });
  if (typed.trim() === expected) return;
  throw new CliError('The id is not the id of the account. Nothing in HubSpot was changed.', {
    code: 'account-differs',
  });
}
