import type { Clock, NewId } from '#shared/kernel';
import { describeStack } from '../../../aws/deploy/deployed-stack.ts';
import { SettingsError } from '../../settings.ts';
import { StepStopped } from '../account.ts';
import { type AssumptionVerdict, notSeen } from '../assumption.ts';
import { AWS_ASSUMPTIONS } from '../aws-assumptions.ts';
import type { JournalPlace } from '../journal-file.ts';
import { LeftBehind, newRun, playSteps, type StepReport } from '../play-steps.ts';
import type { AwsJournal } from '../schemas.ts';
import { awsRefusal } from './aws-refusal.ts';
import type { AwsStep, OwnStack } from './aws-stage.ts';
import { forgetCalls } from './own-stack.ts';
import { removeStack } from './remove-stack.ts';
import type { StandInAddresses } from './stand-in-services.ts';

/**
 * Start of the names of all stacks that rehearsals create. A rehearsal touches only the stack that its journal names.
 */
const PREFIX = 'crm-rehearsal-';
/** After a rehearsal was killed, its commands end within this time. */
const ORPHANS_END_MS = 3_000;

/** Name of the stack that the journal is about. */
export function stackOf({ run }: Pick<AwsJournal, 'run'>): string {
  return PREFIX + run;
}

export interface AwsRehearsal {
  readonly accountId: string;
  readonly region: string;
  readonly journal: JournalPlace<AwsJournal>;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly isReal: boolean;
  readonly services: StandInAddresses | undefined;
  readonly open: (name: string) => OwnStack;
  /** Shows a line at the terminal. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Repeats the steps that an interrupted rehearsal has finished. */
  readonly anew?: boolean;
  readonly progress?: (done: number, step: AwsStep | undefined) => void;
}

/**
 * Runs the steps on a new stack. Skips steps that an interrupted rehearsal has finished. The last step removes the
 * stack. If a step fails or the signal is aborted, the stack is removed too.
 */
export async function rehearseAws(
  rehearsal: AwsRehearsal,
  chosen: readonly AwsStep[],
): Promise<{ readonly startedAtMs: number; readonly steps: readonly StepReport[] }> {
  const { journal: place, clock, dataFolder } = rehearsal;
  const journal = await freshJournal(rehearsal, chosen);
  const stack = rehearsal.open(stackOf(journal));
  // Written before the first call, so that the journal names the stack even after a crash.
  place.write(journal);
  try {
    const reports = await playSteps(chosen, journal, {
      place,
      progress: rehearsal.progress,
      play: (step) => playStep(rehearsal, stack, step),
    });
    place.remove();
    return { startedAtMs: journal.startedAtMs, steps: reports };
  } catch (error) {
    // If the removal in a step failed, this is a second try. The cause of the failure can be gone.
    await removeStack(stack, clock);
    place.write({ ...(place.read() ?? journal), isThere: false });
    throw error;
  } finally {
    forgetCalls(dataFolder, stack.name);
  }
}

async function freshJournal(rehearsal: AwsRehearsal, chosen: readonly AwsStep[]): Promise<AwsJournal> {
  const { journal, accountId, region, clock, newId } = rehearsal;
  await cleanAws(rehearsal);
  const known = journal.read();
  const run = newRun(newId);
  if (!known || rehearsal.anew || known.accountId !== accountId || known.region !== region)
    return { format: 1, accountId, region, run, startedAtMs: clock.now(), isThere: true, steps: {} };
  const basis = new Set(chosen.flatMap(({ name, isBasis }) => (isBasis ? [name] : [])));
  const finished = Object.entries(known.steps).filter(([name]) => !basis.has(name));
  return { ...known, run, isThere: true, steps: Object.fromEntries(finished) };
}

async function playStep(rehearsal: AwsRehearsal, stack: OwnStack, step: AwsStep) {
  const { clock, signal, services, isReal } = rehearsal;
  const startedMs = clock.monotonic();
  const observations: Record<string, AssumptionVerdict> = {};
  let why = 'the step ended before it';
  try {
    const output = async (key: string) => {
      const value = (await describeStack(stack.name))?.outputs[key];
      if (value === undefined) throw new StepStopped('the stack was not deployed');
      return value;
    };
    const note = (assumption: string, observation: AssumptionVerdict) => {
      observations[assumption] = observation;
    };
    await step.run({ stack, output, services, isReal, clock, signal, note });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LeftBehind) throw error;
    why = whyStopped(error, rehearsal.say);
    // Throws if AWS no longer answers. No step can run then, and the next rehearsal repeats this step.
    await describeStack(stack.name);
  }
  for (const { id, step: name } of AWS_ASSUMPTIONS) if (name === step.name) observations[id] ??= notSeen(why);
  return { tookMs: Math.round(clock.monotonic() - startedMs), observations };
}

/** Reason why a step stopped. @throws the error if it is a bug of ours */
function whyStopped(error: unknown, say: AwsRehearsal['say']): string {
  if (error instanceof StepStopped) return error.message;
  const refusal = awsRefusal(error);
  if (refusal === undefined) throw error;
  // The error's text can name resources, so it is shown only at this terminal.
  say(`  | ${refusal.words}`);
  return `a call of the step failed: ${refusal.code}`;
}

/** Removes the stack that an interrupted rehearsal left in this account. @returns the stack's name, or `undefined` */
export async function cleanAws(
  rehearsal: Pick<AwsRehearsal, 'accountId' | 'region' | 'journal' | 'clock' | 'open' | 'dataFolder'>,
): Promise<string | undefined> {
  const { journal, accountId, region, clock, open, dataFolder } = rehearsal;
  const known = journal.read();
  if (!known?.isThere) return undefined;
  const name = stackOf(known);
  if (known.accountId !== accountId || known.region !== region)
    throw new SettingsError(
      `The last rehearsal left the stack ${name} in AWS account ${known.accountId}, region ${known.region}: set AWS_PROFILE and AWS_REGION to these, then run rehearse clean.`,
    );
  await clock.sleep(ORPHANS_END_MS);
  await removeStack(open(name), clock);
  journal.write({ ...known, isThere: false });
  forgetCalls(dataFolder, name);
  return name;
}
