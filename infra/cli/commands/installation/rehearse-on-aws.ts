import { wording } from '#shared/kernel';
import about from '../../../../package.json' with { type: 'json' };
import type { AwsStep } from '../../../local/rehearsal/aws/aws-stage.ts';
import { readRehearsalSettings } from '../../../local/settings.ts';
import type { CommandOptions, CommandRun, SheetCommand, StopTexts } from '../../sheet-command.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { chosenSteps, collect, withSteps } from './chosen-steps.ts';
import { CLEAN, leftBehindError } from './left-behind.ts';

type AwsOptions = CommandOptions & {
  readonly account?: string;
  readonly step?: readonly string[];
  readonly hubspot?: string;
  readonly dataService?: string;
};

/**
 * Alarms, secrets and metrics are billed by the hour, and a rehearsal takes at most one hour. About 45 alarms (0.10
 * USD a month), 60 metrics (0.30 USD), 5 secrets (0.40 USD) and a dashboard (3 USD) cost 0.04 USD. The requests cost
 * less.
 */
const COST = 'about 0.10 US dollars, and 1 US dollar at most';

/** Shown after the first stop, because a second one would end the removal. */
const STOPPING: StopTexts = {
  stopped: 'Stopped. The stack is removed.',
  cleaning: wording`The stack is being removed, which takes about 5 minutes. Ctrl-C now leaves it behind; then: ${CLEAN}`,
  remains: wording`Stopped at once. The stack of the rehearsal remains. To remove it: ${CLEAN}`,
};

/** `rehearse aws`: checks on AWS the assumptions of the AWS stand-in, and behaviour that it cannot simulate. */
export function addRehearseAws(rehearse: SheetCommand): void {
  rehearse
    .command('aws')
    .description('deploy a stack of its own, try it out, compare AWS with the stand-in, remove it')
    .option('--step <name>', 'only this step, again; may be repeated', collect)
    .option('--account <id>', 'id of the AWS account, in place of typing it', text)
    .option('--hubspot <url>', "address of HubSpot's stand-in for the deployed functions", text)
    .option('--data-service <url>', "address of the data service's stand-in for them", text)
    .yes('agree to the cost beforehand')
    .example('--account 123456789012 --json > aws.json')
    .sheet(rehearseAwsCommand);
}

async function rehearseAwsCommand(run: CommandRun, options: AwsOptions): Promise<Sheet> {
  if (run.stack !== undefined) throw usageError('A rehearsal deploys a stack of its own: leave out --stack.');
  const { alone } = await import('../../../local/rehearsal/alone.ts');
  const { AWS_STEPS } = await import('../../../local/rehearsal/aws/aws-steps.ts');
  const steps = chosenSteps(AWS_STEPS, options.step);
  run.resumesWith(undefined, { stopped: 'Stopped. Nothing was changed.' });
  return alone(readRehearsalSettings(run.env).dataFolder, () => playOnAws(run, options, steps));
}

async function playOnAws(run: CommandRun, options: AwsOptions, steps: readonly AwsStep[]): Promise<Sheet> {
  const { rehearseAws } = await import('../../../local/rehearsal/aws/rehearse-aws.ts');
  const { refuseUnbootstrapped } = await import('../../../local/rehearsal/aws/open-aws.ts');
  const { AWS_ASSUMPTIONS } = await import('../../../local/rehearsal/aws-assumptions.ts');
  const { assumptionReport, reportLines } = await import('../../../local/rehearsal/report.ts');
  const rehearsal = await openRehearsalOnAws(run, options);
  await refuseUnbootstrapped();
  await confirmAccount(run, { accountId: rehearsal.accountId, typed: options.account });
  if (!rehearsal.services)
    run.say('Without --hubspot and --data-service, steps that need a working service are not seen.');
  await run.agree(`Rehearsal on AWS in ${rehearsal.region}: ${COST}, no credits`);
  const show = run.progress({ total: steps.length, noun: 'steps' });
  const again = withSteps('rehearse aws', options.step);
  run.resumesWith(again, STOPPING);
  const { startedAtMs, steps: played } = await rehearseAws(
    {
      ...rehearsal,
      signal: run.signal,
      anew: options.step !== undefined,
      progress: (done, step) => {
        if (step) run.say(`${done + 1} of ${steps.length}: ${step.about}`);
        show(done);
      },
    },
    steps,
  ).catch(async (error: unknown) => {
    const { LeftBehind } = await import('../../../local/rehearsal/play-steps.ts');
    throw error instanceof LeftBehind ? await leftBehindError(error, again) : error;
  });
  const report = assumptionReport({
    about: 'aws',
    isReal: rehearsal.isReal,
    versions: { project: about.version, node: process.version },
    startedAtMs,
    endedAtMs: rehearsal.clock.now(),
    assumptions: AWS_ASSUMPTIONS,
    observations: Object.assign({}, ...played.map(({ observations }) => observations)),
  });
  return {
    json: { ...report, steps: played.map(({ step, tookMs }) => ({ step, tookMs })) },
    body: reportLines(report),
    notes: ["The stack is removed. The functions' code stays in the bucket of the CDK's bootstrap."],
    exit: report.counts.differs > 0 ? EXIT.failed : EXIT.ok,
  };
}

export async function openRehearsalOnAws(
  run: CommandRun,
  { hubspot, dataService }: Pick<AwsOptions, 'hubspot' | 'dataService'>,
) {
  const { openAwsRehearsal } = await import('../../../local/rehearsal/aws/open-aws.ts');
  const { ConfigurationError } = await import('../../../aws/configuration.ts');
  const noTerminal = async (): Promise<string> => '';
  try {
    return await openAwsRehearsal({
      dataFolder: readRehearsalSettings(run.env).dataFolder,
      hubSpotUrl: hubspot?.replace(/\/+$/, ''),
      dataServiceUrl: dataService?.replace(/\/+$/, ''),
      ask: run.ask ?? noTerminal,
      say: run.say,
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CliError(error.message, { exit: EXIT.failed, code: 'aws' });
  }
}

async function confirmAccount(
  run: CommandRun,
  { accountId, typed }: { readonly accountId: string; readonly typed: string | undefined },
): Promise<void> {
  run.say(`Your access belongs to AWS account ${accountId}.`);
  const given = typed ?? (await run.ask?.('Type the id of this account to continue: '));
  if (given === undefined)
    throw new CliError('There is no terminal to ask. Name the account with --account ID.', {
      exit: EXIT.usage,
      code: 'not-asked',
    });
  if (given.trim() === accountId) return;
  throw new CliError('The id is not the id of the account. Nothing was changed.', {
    exit: EXIT.usage,
    code: 'declined',
  });
}
