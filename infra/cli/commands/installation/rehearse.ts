import { API_VERSION } from '#shared/hubspot';
import { wording } from '#shared/kernel';
import about from '../../../../package.json' with { type: 'json' };
import type { OpenRehearsal } from '../../../local/rehearsal/open-rehearsal.ts';
import type { Rehearsal } from '../../../local/rehearsal/rehearse-hubspot.ts';
import type { RehearsalStep } from '../../../local/rehearsal/stage.ts';
import { readRehearsalSettings } from '../../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand, StopTexts } from '../../sheet-command.ts';
import { EXIT, usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { chosenSteps, collect, withSteps } from './chosen-steps.ts';
import { CLEAN } from './left-behind.ts';
import { addRehearseClean } from './rehearse-clean.ts';
import { withTestAccount } from './test-account.ts';

type RehearseOptions = CommandOptions & { readonly account?: string; readonly step?: readonly string[] };

/** `rehearse`: checks the assumptions of HubSpot's stand-in in a test account. */
export function addRehearse(program: SheetCommand): void {
  const rehearse = program
    .command('rehearse')
    .description("check in a test account of your own what HubSpot's stand-in assumes");
  rehearse
    .command('hubspot')
    .description(
      'create marked records, compare HubSpot with the stand-in, remove them; with no token, play it',
    )
    .option('--account <id>', 'id of the test account, in place of typing it', text)
    .option('--step <name>', 'only this step, again; may be repeated', collect)
    .example('--account 12345678 --json > report.json')
    .sheet(rehearseHubSpotCommand);
  addRehearseClean(rehearse);
}

export const SAVED_QUESTION = 'Press Enter when it is saved: ';

/** Shown after the first stop, because a second one would end the removal. */
const STOPPING: StopTexts = {
  stopped: 'Stopped. All records of the rehearsal are removed.',
  cleaning: 'The records of this step are being removed. Ctrl-C now leaves them in HubSpot.',
  remains: wording`Stopped at once. Records of the rehearsal may remain in HubSpot. To remove them: ${CLEAN}`,
};

async function rehearseHubSpotCommand(run: CommandRun, options: RehearseOptions): Promise<Sheet> {
  if (run.stack !== undefined) throw usageError('A rehearsal uses HUBSPOT_ACCESS_TOKEN: leave out --stack.');
  const { HUBSPOT_STEPS, refuseOtherAccount } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  const steps = chosenSteps(HUBSPOT_STEPS, options.step);
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  run.resumesWith(undefined, { stopped: 'Stopped. Nothing in HubSpot was changed.' });
  if (hubSpot) {
    const { alone } = await import('../../../local/rehearsal/alone.ts');
    return alone(dataFolder, run.clock, () => playOnHubSpot(run, options, steps));
  }
  // The stand-in is of no use to a person whose records remain in a real account.
  const { journalFile } = await import('../../../local/rehearsal/journal-file.ts');
  refuseOtherAccount(journalFile(dataFolder), undefined);
  return playOnHubSpot(run, options, steps);
}

async function playOnHubSpot(
  run: CommandRun,
  { account, step }: RehearseOptions,
  steps: readonly RehearsalStep[],
): Promise<Sheet> {
  const { rehearseHubSpot } = await import('../../../local/rehearsal/rehearse-hubspot.ts');
  const { assumptionReport, reportLines } = await import('../../../local/rehearsal/report.ts');
  const { HUBSPOT_ASSUMPTIONS } = await import('../../../local/rehearsal/assumptions.ts');
  const does = 'The rehearsal creates, changes, merges and deletes records of its own there.';
  const again = withSteps('rehearse hubspot', step);
  return withTestAccount(run, { account, does, again }, async (open) => {
    const { rehearsal, isReal, replacedBy } = open;
    const show = run.progress({ total: steps.length, noun: 'steps' });
    run.resumesWith(again, isReal ? STOPPING : {});
    const { startedAtMs, steps: played } = await rehearseHubSpot(
      {
        ...rehearsal,
        ...(isReal && { askPerson: personAt(run, open) }),
        signal: run.signal,
        anew: step !== undefined,
        progress: (done, next) => {
          if (next) run.say(`${done + 1} of ${steps.length}: ${next.about}`);
          show(done);
        },
      },
      steps,
    );
    const report = assumptionReport({
      about: 'hubspot',
      isReal,
      replacedBy,
      versions: { project: about.version, api: API_VERSION, node: process.version },
      startedAtMs,
      endedAtMs: rehearsal.access.clock.now(),
      assumptions: HUBSPOT_ASSUMPTIONS,
      observations: Object.assign({}, ...played.map(({ observations }) => observations)),
    });
    const times = played.map(({ step: name, tookMs }) => ({ step: name, tookMs }));
    return {
      json: { ...report, steps: times },
      body: reportLines(report),
      notes: ['All records of the rehearsal are removed.'],
      exit: report.counts.differs > 0 ? EXIT.failed : EXIT.ok,
    };
  });
}

/** Asks a person to change the first name on a contact's page in HubSpot. */
function personAt({ ask, say }: CommandRun, { contactsUrl }: OpenRehearsal): Rehearsal['askPerson'] {
  if (!ask || contactsUrl === undefined) return undefined;
  return async (id) => {
    say(`Please open ${contactsUrl}/${id} and change the first name.`);
    await ask(SAVED_QUESTION);
  };
}
