import { API_VERSION } from '#shared/hubspot';
import { command, counted, type OperatorCommand, UpstreamError, wording } from '#shared/kernel';
import about from '../../../package.json' with { type: 'json' };
import { StepStopped, TokenRefused } from '../../local/rehearsal/account.ts';
import { assumptionReport, reportLines } from '../../local/rehearsal/assumption.ts';
import type { OpenRehearsal } from '../../local/rehearsal/open-rehearsal.ts';
import {
  alone,
  cleanHubSpot,
  journalFile,
  LeftBehind,
  type Rehearsal,
  refuseOtherAccount,
  rehearseHubSpot,
} from '../../local/rehearsal/rehearse-hubspot.ts';
import { readRehearsalSettings } from '../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand, StopTexts } from '../sheet-command.ts';
import { CliError, EXIT, usageError } from '../terminal/exit.ts';
import { repeated, text } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';

type AccountOptions = CommandOptions & { readonly account?: string };
type RehearseOptions = AccountOptions & { readonly step?: readonly string[] };

const CLEAN = command('rehearse clean');

/** Checks the assumptions of HubSpot's stand-in in a test account, and removes what an interrupted rehearsal left. */
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
    .option('--step <name>', 'only this step, again; may be repeated', repeated(text))
    .example('--account 12345678 --json > report.json')
    .sheet(rehearseAccount);
  rehearse
    .command('clean')
    .description('remove what an interrupted rehearsal left in the test account; forget its steps')
    .option('--account <id>', 'id of the test account, in place of typing it', text)
    .example('--account 12345678')
    .sheet(clean);
}

export const SAVED_QUESTION = 'Press Enter when it is saved: ';

/** Shown after the first stop, because a second one would end the removal. */
const STOPPING: StopTexts = {
  stopped: 'Stopped. All records of the rehearsal are removed.',
  cleaning: 'The records of this step are being removed. Ctrl-C now leaves them in HubSpot.',
  remains: wording`Stopped at once. Records of the rehearsal may remain in HubSpot. To remove them: ${CLEAN}`,
};

async function rehearseAccount(run: CommandRun, options: RehearseOptions): Promise<Sheet> {
  refuseStack(run);
  // The steps load the stand-in, which other commands do not need.
  const { HUBSPOT_ASSUMPTIONS, HUBSPOT_STEPS } = await import('../../local/rehearsal/assumptions.ts');
  const { account, step } = options;
  const steps = chosenSteps(HUBSPOT_STEPS, step);
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  run.resumesWith(undefined, { stopped: 'Stopped. Nothing in HubSpot was changed.' });
  const again = command(['rehearse hubspot', ...(step ?? []).map((name) => `--step ${name}`)].join(' '));
  const does = 'The rehearsal creates, changes, merges and deletes records of its own there.';
  const play = async (open: OpenRehearsal): Promise<Sheet> => {
    const { rehearsal, isReal, replacedBy } = open;
    const show = run.progress({ total: steps.length, noun: 'steps' });
    run.resumesWith(again, isReal ? STOPPING : {});
    const progress: Rehearsal['progress'] = (done, next) => {
      if (next) run.say(`${done + 1} of ${steps.length}: ${next.about}`);
      show(done);
    };
    const person = isReal ? { askPerson: personAt(run, open) } : {};
    const more = { ...person, signal: run.signal, anew: step !== undefined, progress };
    const { startedAtMs, steps: played } = await rehearseHubSpot({ ...rehearsal, ...more }, steps);
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
    return {
      json: { ...report, steps: played.map(({ step: name, tookMs }) => ({ step: name, tookMs })) },
      body: reportLines(report),
      notes: ['All records of the rehearsal are removed.'],
      exit: report.counts.differs > 0 ? EXIT.failed : EXIT.ok,
    };
  };
  const rehearsed = () => withTestAccount(run, { account, does, again }, play);
  if (hubSpot) return alone(dataFolder, run.clock, rehearsed);
  // The stand-in is of no use to a person whose records remain in a real account.
  refuseOtherAccount(journalFile(dataFolder), undefined);
  return rehearsed();
}

function refuseStack({ stack }: CommandRun): void {
  if (stack !== undefined) throw usageError('A rehearsal uses HUBSPOT_ACCESS_TOKEN: leave out --stack.');
}

/** The steps that `--step` names, or all. @throws CliError if a step does not exist */
function chosenSteps<Step extends { readonly name: string }>(
  steps: readonly Step[],
  wanted: readonly string[] | undefined,
): readonly Step[] {
  const names = steps.map(({ name }) => name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = `There is no step ${unknown}. The steps are: ${names.join(', ')}.`;
    throw new CliError('no-such-step', message, { params: { steps: names } });
  }
  return steps.filter(({ name }) => wanted?.includes(name) ?? true);
}

function personAt({ ask, say }: CommandRun, { contactsUrl }: OpenRehearsal): Rehearsal['askPerson'] {
  if (!ask || contactsUrl === undefined) return undefined;
  return async (id) => {
    say(`Please open ${contactsUrl}/${id} and change the first name.`);
    await ask(SAVED_QUESTION);
  };
}

async function clean(run: CommandRun, { account }: AccountOptions): Promise<Sheet> {
  refuseStack(run);
  const { dataFolder, hubSpot } = readRehearsalSettings(run.env);
  const does =
    'rehearse clean removes the records of interrupted rehearsals there, and forgets finished steps.';
  return alone(dataFolder, run.clock, async () => {
    run.resumesWith(undefined, { stopped: 'Stopped. Nothing was changed.' });
    if (hubSpot)
      return withTestAccount(run, { account, does, again: CLEAN }, (open) => cleanAccount(run, open));
    // Only a token can remove records that the journal names.
    refuseOtherAccount(journalFile(dataFolder), undefined);
    return {
      json: {},
      body: ['The data folder has no journal that names a record.'],
      notes: ['HUBSPOT_ACCESS_TOKEN is not set: HubSpot was not cleaned.'],
    };
  });
}

async function cleanAccount(run: CommandRun, { rehearsal }: OpenRehearsal): Promise<Sheet> {
  run.resumesWith(undefined, {
    cleaning: 'The removal continues. Ctrl-C now ends it.',
    remains: wording`Stopped at once. Records of a rehearsal may remain in HubSpot. To remove them: ${CLEAN}`,
  });
  run.say(
    'Looking for records of a rehearsal. This can take a minute, because HubSpot shows new records late.',
  );
  const records = await cleanHubSpot(rehearsal);
  const journal = rehearsal.journal.read();
  rehearsal.journal.remove();
  return {
    json: { found: records },
    body: [records === 0 ? 'No record of a rehearsal was found.' : `${counted(records, 'record')} removed.`],
    notes: [
      records === 0 &&
        !journal &&
        "The data folder has no journal, so only HubSpot's search was used. It shows new records late: to be sure, use the DATA_DIR of the rehearsal, or run this again in a minute.",
      Object.keys(journal?.steps ?? {}).length > 0 &&
        'The finished steps are forgotten: the next rehearsal begins with step 1.',
    ],
  };
}

interface TestAccountUse {
  /** Id of the account, in place of typing it. */
  readonly account: string | undefined;
  /** Shown before a person confirms the account: the changes that the command makes there. */
  readonly does: string;
  /** The command that continues after a failure. */
  readonly again: OperatorCommand;
}

/** Opens the account and asks a person for its id. Closes the account at the end, even after an error. */
async function withTestAccount(
  run: CommandRun,
  use: TestAccountUse,
  work: (open: OpenRehearsal) => Promise<Sheet>,
): Promise<Sheet> {
  const { openRehearsal } = await import('../../local/rehearsal/open-rehearsal.ts');
  let open: OpenRehearsal | undefined;
  try {
    open = await openRehearsal(readRehearsalSettings(run.env), run);
    if (open.isReal) await confirmTestAccount(run, open, use);
    else run.say('HUBSPOT_ACCESS_TOKEN is not set: the stand-in is rehearsed, in virtual time.');
    return await work(open);
  } catch (error) {
    if (error instanceof LeftBehind) throw leftBehindError(error, use.again);
    const isRefused = error instanceof StepStopped || error instanceof UpstreamError;
    if (!isRefused || run.signal?.aborted) throw error;
    const reason = error instanceof UpstreamError ? error.code : error.message;
    const message =
      error instanceof UpstreamError
        ? `HubSpot did not answer the rehearsal (${reason}): check the network, then run the command again.`
        : `HubSpot did not serve the rehearsal (${reason}): check HUBSPOT_ACCESS_TOKEN and the scopes of its app, then run the command again.`;
    const code = error instanceof TokenRefused ? 'token-refused' : 'hubspot';
    throw new CliError(code, message, { params: { reason } });
  } finally {
    await open?.close();
  }
}

/** @param again the command that removes what remains, and continues unless it is `rehearse clean` */
function leftBehindError(error: LeftBehind, again: OperatorCommand): CliError {
  const isTokenRefused = error.cause instanceof TokenRefused;
  const fix = isTokenRefused ? 'First correct HUBSPOT_ACCESS_TOKEN. ' : '';
  const rest =
    again === CLEAN
      ? wording`To remove the rest: ${CLEAN}`
      : wording`To remove the rest and continue: ${again}. To only remove the rest: ${CLEAN}`;
  const params = { records: error.records, reason: error.reason, isTokenRefused };
  return new CliError('left-behind', wording`${error.message} ${fix}${rest}`, { params });
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
      'not-a-test-account',
      'This is a standard HubSpot account, with real records: use a developer test account or a sandbox.',
    );
  const { accountId: expected } = rehearsal;
  run.say(`The token belongs to HubSpot account ${expected}, of type ${accountType}.`);
  run.say(does);
  const typed = account ?? (await run.ask?.('Type the id of this account to continue: '));
  if (typed === undefined)
    throw new CliError('not-asked', 'There is no terminal to ask. Name the account with --account ID.');
  if (typed.trim() === expected) return;
  const message = 'The id is not the id of the account. Nothing in HubSpot was changed.';
  throw new CliError('account-differs', message);
}
