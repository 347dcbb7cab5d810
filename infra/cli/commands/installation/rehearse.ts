import { API_VERSION } from '#shared/hubspot';
import { UpstreamError } from '#shared/kernel';
import about from '../../../../package.json' with { type: 'json' };
import type { OpenRehearsal } from '../../../local/rehearsal/open-rehearsal.ts';
import type { Rehearsal } from '../../../local/rehearsal/rehearse-hubspot.ts';
import { readRehearsalSettings } from '../../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { chosenSteps, collect, withSteps } from './chosen-steps.ts';
import { cleanedSheet } from './cleaned-sheet.ts';
import { addRehearseAws, cleanedStack, leftBehindError } from './rehearse-on-aws.ts';

type RehearseOptions = CommandOptions & { readonly account?: string; readonly step?: readonly string[] };

/** `rehearse`: checks the assumptions of the stand-ins in a test account. */
export function addRehearse(program: SheetCommand): void {
  const rehearse = program
    .command('rehearse')
    .description('check in accounts of your own what the stand-ins assume');
  withAccount(rehearse.command('hubspot'))
    .description(
      'create marked records, compare HubSpot with the stand-in, remove them; with no token, play it',
    )
    .option('--step <name>', 'only this step, again; may be repeated', collect)
    .example('--account 12345678 --json > report.json')
    .sheet(rehearseHubSpotCommand);
  addRehearseAws(rehearse);
  withAccount(rehearse.command('clean'))
    .description('remove what an interrupted rehearsal left in the test account and on AWS')
    .example('--account 12345678')
    .sheet(clean);
}

function withAccount(command: SheetCommand): SheetCommand {
  return command.option('--account <id>', 'id of the test account, in place of typing it', text);
}

async function rehearseHubSpotCommand(run: CommandRun, options: RehearseOptions): Promise<Sheet> {
  const { HUBSPOT_STEPS, rehearseHubSpot } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  const { assumptionReport, reportLines } = await import('../../../local/rehearsal/report.ts');
  const { HUBSPOT_ASSUMPTIONS } = await import('../../../local/rehearsal/assumptions.ts');
  const steps = chosenSteps(HUBSPOT_STEPS, options.step);
  return withTestAccount(run, options, async (open) => {
    const { rehearsal, isReal } = open;
    const show = run.progress({ total: steps.length, noun: 'steps' });
    run.resumesWith(
      withSteps('rehearse hubspot', options.step),
      'Stopped. All records of the rehearsal are removed.',
    );
    const { startedAtMs, steps: played } = await rehearseHubSpot(
      {
        ...rehearsal,
        ...(isReal && { askPerson: personAt(run, open) }),
        signal: run.signal,
        anew: options.step !== undefined,
        progress: (done, step) => {
          if (step) run.say(`${done + 1} of ${steps.length}: ${step.about}`);
          show(done);
        },
      },
      steps,
    );
    const report = assumptionReport({
      about: 'hubspot',
      isReal,
      versions: { project: about.version, api: API_VERSION, node: process.version },
      startedAtMs,
      endedAtMs: rehearsal.access.clock.now(),
      assumptions: HUBSPOT_ASSUMPTIONS,
      observations: Object.assign({}, ...played.map(({ observations }) => observations)),
    });
    const times = played.map(({ step, tookMs }) => ({ step, tookMs }));
    return {
      json: { ...report, steps: times },
      body: reportLines(report),
      notes: ['All records of the rehearsal are removed.'],
      exit: report.counts.differs > 0 ? EXIT.failed : EXIT.ok,
    };
  });
}

async function clean(run: CommandRun, options: RehearseOptions): Promise<Sheet> {
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  const stack = await cleanedStack(run, dataFolder);
  if (stack !== undefined) {
    if (!hubSpot) return cleanedSheet({ stack });
    // Reported before HubSpot is cleaned. If HubSpot refuses, the next run no longer finds the stack and cannot
    // report it.
    run.say(`The stack ${stack} was removed. Next, the records in HubSpot are removed.`);
  }
  const { cleanHubSpot } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  return withTestAccount(run, options, async ({ rehearsal }) => {
    const records = await cleanHubSpot(rehearsal);
    rehearsal.journal.remove();
    return cleanedSheet({ stack, records });
  });
}

/** Opens the account and asks a person for its id. Closes the account at the end, even after an error. */
async function withTestAccount(
  run: CommandRun,
  { account }: RehearseOptions,
  work: (open: OpenRehearsal) => Promise<Sheet>,
): Promise<Sheet> {
  if (run.stack !== undefined) throw usageError('A rehearsal uses HUBSPOT_ACCESS_TOKEN: leave out --stack.');
  const { openRehearsal } = await import('../../../local/rehearsal/open-rehearsal.ts');
  const { LeftBehind } = await import('../../../local/rehearsal/play-steps.ts');
  const { StepStopped } = await import('../../../local/rehearsal/account.ts');
  let open: OpenRehearsal | undefined;
  try {
    open = await openRehearsal(readRehearsalSettings(run.env));
    if (open.isReal) await confirmTestAccount(run, { open, account });
    else run.say('HUBSPOT_ACCESS_TOKEN is not set: the stand-in is rehearsed, in virtual time.');
    return await work(open);
  } catch (error) {
    if (error instanceof LeftBehind) throw leftBehindError(error);
    const isRefused = error instanceof StepStopped || error instanceof UpstreamError;
    if (!isRefused || run.signal?.aborted) throw error;
    const message =
      error instanceof UpstreamError
        ? `HubSpot did not answer the rehearsal (${error.code}): check the network.`
        : `HubSpot did not serve the rehearsal (${error.message}): check HUBSPOT_ACCESS_TOKEN and the scopes of its app.`;
    throw new CliError(message, { exit: EXIT.failed, code: 'hubspot' });
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
  { open, account }: { readonly open: OpenRehearsal; readonly account: string | undefined },
): Promise<void> {
  const { accountType, rehearsal } = open;
  if (accountType === 'STANDARD')
    throw new CliError(
      'This is a standard HubSpot account, with real records: use a developer test account or a sandbox.',
      { exit: EXIT.usage, code: 'not-a-test-account' },
    );
  const { accountId: expected } = rehearsal;
  run.say(`The token belongs to HubSpot account ${expected}, of type ${accountType}.`);
  run.say('The rehearsal creates, changes, merges and deletes records of its own there.');
  const typed = account ?? (await run.ask?.('Type the id of this account to continue: '));
  if (typed === undefined)
    throw new CliError('There is no terminal to ask. Name the account with --account ID.', {
      exit: EXIT.usage,
      code: 'not-asked',
    });
  if (typed.trim() === expected) return;
  throw new CliError('The id is not the id of the account. Nothing in HubSpot was changed.', {
    exit: EXIT.usage,
    code: 'declined',
  });
}

/** Asks a person to change the first name on a contact's page in HubSpot. */
function personAt({ ask, say }: CommandRun, { contactsUrl }: OpenRehearsal): Rehearsal['askPerson'] {
  if (!ask || contactsUrl === undefined) return undefined;
  return async (id) => {
    say(`Please open ${contactsUrl}/${id} and change the first name.`);
    await ask('Press Enter when it is saved: ');
  };
}
