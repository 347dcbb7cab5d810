import { wording } from '#shared/kernel';
import type { AwsRehearsal } from '../../../local/rehearsal/aws/rehearse-aws.ts';
import { readRehearsalSettings, SettingsError } from '../../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { cleanedSheet } from './cleaned-sheet.ts';
import { CLEAN, leftBehindError } from './left-behind.ts';
import { openRehearsalOnAws } from './rehearse-on-aws.ts';
import { withTestAccount } from './test-account.ts';

type CleanOptions = CommandOptions & { readonly account?: string };

/** `rehearse clean`: removes the records and the stack that an interrupted rehearsal left. */
export function addRehearseClean(rehearse: SheetCommand): void {
  rehearse
    .command('clean')
    .description('remove what an interrupted rehearsal left in the test account and on AWS; forget its steps')
    .option('--account <id>', 'id of the test account, in place of typing it', text)
    .example('--account 12345678')
    .sheet(clean);
}

async function clean(run: CommandRun, options: CleanOptions): Promise<Sheet> {
  if (run.stack !== undefined) throw usageError('The journal names what is removed: leave out --stack.');
  const { alone } = await import('../../../local/rehearsal/alone.ts');
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  return alone(dataFolder, async () => {
    run.resumesWith(undefined, { stopped: 'Stopped. Nothing was changed.' });
    const onAws = await cleanStack(run, dataFolder);
    // Reported at once. If HubSpot is not cleaned, the next run no longer finds the stack and cannot report it.
    if (onAws) run.say(`The stack ${onAws.stack} was removed.`);
    return hubSpot ? cleanAccount(run, { ...options, onAws }) : withoutToken(dataFolder, onAws);
  });
}

interface CleanedStack {
  readonly stack: string;
  readonly hadSteps: boolean;
}

/** @throws SettingsError if the journal names records, which only a token can remove */
async function withoutToken(dataFolder: string, onAws: CleanedStack | undefined): Promise<Sheet> {
  const { journalFile } = await import('../../../local/rehearsal/journal-file.ts');
  const { refuseOtherAccount } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  refuseOtherAccount(journalFile(dataFolder), undefined);
  return cleanedSheet({ hadSteps: false, ...onAws });
}

function cleanAccount(
  run: CommandRun,
  { account, onAws }: CleanOptions & { readonly onAws: CleanedStack | undefined },
): Promise<Sheet> {
  const does =
    'rehearse clean removes the records of interrupted rehearsals there, and forgets finished steps.';
  if (onAws) run.resumesWith(undefined, { stopped: 'Stopped. HubSpot was not cleaned.' });
  return withTestAccount(run, { account, does, again: CLEAN }, async ({ rehearsal }) => {
    run.resumesWith(undefined, {
      cleaning: 'The removal continues. Ctrl-C now ends it.',
      remains: wording`Stopped at once. Records of a rehearsal may remain in HubSpot. To remove them: ${CLEAN}`,
    });
    const { cleanHubSpot } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
    run.say(
      'Looking for records of a rehearsal. This can take a minute, because HubSpot shows new records late.',
    );
    const records = await cleanHubSpot(rehearsal);
    const journal = rehearsal.journal.read();
    rehearsal.journal.remove();
    const hadSteps = hasSteps(journal) || onAws?.hadSteps === true;
    return cleanedSheet({ stack: onAws?.stack, records, hadJournal: journal !== undefined, hadSteps });
  });
}

function hasSteps(journal: { readonly steps: object } | undefined): boolean {
  return Object.keys(journal?.steps ?? {}).length > 0;
}

/** Removes the stack that the journal names. @returns `undefined` if it names none */
async function cleanStack(run: CommandRun, dataFolder: string): Promise<CleanedStack | undefined> {
  const { awsJournalFile } = await import('../../../local/rehearsal/journal-file.ts');
  const { cleanAws, stackOf } = await import('../../../local/rehearsal/aws/rehearse-aws.ts');
  const { LeftBehind } = await import('../../../local/rehearsal/play-steps.ts');
  const journal = awsJournalFile(dataFolder);
  const known = journal.read();
  if (known?.isThere !== true) return undefined;
  const stack = stackOf(known);
  run.say(
    `The last rehearsal left the stack ${stack} in AWS account ${known.accountId}, region ${known.region}.`,
  );
  const rehearsal = await openRehearsalOnAws(run, {}).catch(stackRemains(stack));
  run.resumesWith(undefined, {
    cleaning: 'The removal continues, and takes about 5 minutes. Ctrl-C now ends it.',
    remains: wording`Stopped at once. The stack ${stack} remains. To remove it: ${CLEAN}`,
  });
  try {
    await cleanAws(rehearsal);
  } catch (error) {
    throw error instanceof LeftBehind ? await leftBehindError(error, CLEAN) : error;
  }
  journal.remove();
  return { stack, hadSteps: hasSteps(known) };
}

/** Adds to a missing or wrong setting that the stack remains. */
function stackRemains(stack: string): (error: unknown) => Promise<AwsRehearsal> {
  const remains = `The stack ${stack} remains. Then run rehearse clean again.`;
  return (error) => {
    if (error instanceof SettingsError) throw new SettingsError(`${error.message} ${remains}`);
    if (error instanceof CliError)
      throw new CliError(`${error.message} ${remains}`, { exit: error.exit, code: error.code });
    throw error;
  };
}
