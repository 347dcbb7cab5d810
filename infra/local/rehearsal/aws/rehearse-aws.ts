import type { Clock, NewId } from '#shared/kernel';
import { describeStack } from '../../../aws/deploy/deployed-stack.ts';
import { SettingsError } from '../../settings.ts';
import { StepStopped } from '../account.ts';
import { type AssumptionVerdict, metOr, notSeen } from '../assumption.ts';
import { AWS_ASSUMPTIONS } from '../aws-assumptions.ts';
import type { JournalPlace } from '../journal-file.ts';
import { LeftBehind, newRun, playSteps, type StepReport } from '../play-steps.ts';
import type { AwsJournal } from '../schemas.ts';
import { awsRefusal } from './aws-refusal.ts';
import type { AwsStep, OwnStack } from './aws-stage.ts';
import { forgetCalls } from './own-stack.ts';
import { removeStack } from './remove-stack.ts';
import type { StandInAddresses } from './stand-in-services.ts';

/** Begins the name of every stack that a rehearsal makes. Without its journal none of them is touched. */
const PREFIX = 'crm-rehearsal-';
/** An orphaned command of a killed rehearsal ends itself within this. */
const ORPHANS_END_MS = 3_000;
export const REMOVAL = 'removal';

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
  /** Plays steps again that an interrupted rehearsal has finished. */
  readonly anew?: boolean;
  readonly progress?: (done: number, step: AwsStep | undefined) => void;
}

/**
 * Goes through the steps with a stack of its own, after those that an interrupted rehearsal finished. The stack is
 * removed at the end, also when a step fails or the signal is aborted.
 */
export async function rehearseAws(
  rehearsal: AwsRehearsal,
  chosen: readonly AwsStep[],
): Promise<{ readonly startedAtMs: number; readonly steps: readonly StepReport[] }> {
  const { journal: place, clock, dataFolder } = rehearsal;
  const journal = await freshJournal(rehearsal, chosen);
  const stack = rehearsal.open(PREFIX + journal.run);
  const steps = [...chosen, removalStep(clock)];
  // Before the first call: a crash leaves no stack that the journal does not name.
  place.write(journal);
  try {
    const reports = await playSteps(steps, journal, {
      place,
      progress: rehearsal.progress,
      play: (step) => playStep(rehearsal, stack, step),
    });
    place.remove();
    return { startedAtMs: journal.startedAtMs, steps: reports };
  } catch (error) {
    // Removes a second time where the removal itself failed: the first failure may have passed.
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
  const finished = Object.entries(known.steps).filter(([name]) => !basis.has(name) && name !== REMOVAL);
  return { ...known, run, isThere: true, steps: Object.fromEntries(finished) };
}

function removalStep(clock: Clock): AwsStep {
  return {
    name: REMOVAL,
    about: 'the removal of the stack',
    isBasis: true,
    run: async ({ stack, note }) => {
      await removeStack(stack, clock);
      note('removal', metOr(true, ''));
    },
  };
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
    // Once AWS does not answer any more, no step can be played: this one is played again.
    await describeStack(stack.name);
  }
  for (const { id, step: name } of AWS_ASSUMPTIONS) if (name === step.name) observations[id] ??= notSeen(why);
  return { tookMs: Math.round(clock.monotonic() - startedMs), observations };
}

/** @throws the error where it is a mistake of ours */
function whyStopped(error: unknown, say: AwsRehearsal['say']): string {
  if (error instanceof StepStopped) return error.message;
  const refusal = awsRefusal(error);
  if (refusal === undefined) throw error;
  // Its words may name resources: they stay on this terminal.
  say(`  | ${refusal.words}`);
  return `a call of the step failed: ${refusal.code}`;
}

/** Removes what an interrupted rehearsal left in this account. @returns the name of its stack, where there was one */
export async function cleanAws(
  rehearsal: Pick<AwsRehearsal, 'accountId' | 'region' | 'journal' | 'clock' | 'open' | 'dataFolder'>,
): Promise<string | undefined> {
  const { journal, accountId, region, clock, open, dataFolder } = rehearsal;
  const known = journal.read();
  if (!known?.isThere) return undefined;
  const name = PREFIX + known.run;
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
