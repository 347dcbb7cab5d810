import { counted, type Wording, wording } from '#shared/kernel';
import { readRehearsalSettings } from '../../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { CLEAN } from './left-behind.ts';
import { withTestAccount } from './test-account.ts';

type CleanOptions = CommandOptions & { readonly account?: string };

/** `rehearse clean`: removes the records that an interrupted rehearsal left. */
export function addRehearseClean(rehearse: SheetCommand): void {
  rehearse
    .command('clean')
    .description('remove what an interrupted rehearsal left in the test account; forget its steps')
    .option('--account <id>', 'id of the test account, in place of typing it', text)
    .example('--account 12345678')
    .sheet(clean);
}

async function clean(run: CommandRun, options: CleanOptions): Promise<Sheet> {
  if (run.stack !== undefined) throw usageError('A rehearsal uses HUBSPOT_ACCESS_TOKEN: leave out --stack.');
  const { alone } = await import('../../../local/rehearsal/alone.ts');
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  return alone(dataFolder, run.clock, async () => {
    run.resumesWith(undefined, { stopped: 'Stopped. Nothing was changed.' });
    return hubSpot ? cleanAccount(run, options) : withoutToken(dataFolder);
  });
}

/** @throws SettingsError if the journal names records, which only a token can remove */
async function withoutToken(dataFolder: string): Promise<Sheet> {
  const { journalFile } = await import('../../../local/rehearsal/journal-file.ts');
  const { refuseOtherAccount } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  refuseOtherAccount(journalFile(dataFolder), undefined);
  return {
    json: {},
    body: ['The data folder has no journal that names a record.'],
    notes: ['HUBSPOT_ACCESS_TOKEN is not set: HubSpot was not cleaned.'],
  };
}

function cleanAccount(run: CommandRun, { account }: CleanOptions): Promise<Sheet> {
  const does =
    'rehearse clean removes the records of interrupted rehearsals there, and forgets finished steps.';
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
    const notes: Wording[] = [];
    if (records === 0 && !journal)
      notes.push(
        "The data folder has no journal, so only HubSpot's search was used. It shows new records late: to be sure, use the DATA_DIR of the rehearsal, or run this again in a minute.",
      );
    if (Object.keys(journal?.steps ?? {}).length > 0)
      notes.push('The finished steps are forgotten: the next rehearsal begins with step 1.');
    const body = [
      records === 0 ? 'No record of a rehearsal was found.' : `${counted(records, 'record')} removed.`,
    ];
    return { json: { found: records }, body, notes };
  });
}
