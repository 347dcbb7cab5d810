import type { AssumptionVerdict } from './assumption.ts';
import type { JournalPlace } from './journal-file.ts';

export interface StepReport {
  readonly step: string;
  readonly tookMs: number;
  readonly observations: Readonly<Record<string, AssumptionVerdict>>;
}

type SeenSteps = Readonly<Record<string, Omit<StepReport, 'step'>>>;

/** The parts of a rehearsal that running its steps needs. The journal is written after each step. */
export interface PlayedSteps<Step, Journal> {
  readonly place: JournalPlace<Journal>;
  readonly play: (step: Step, journal: Journal) => Promise<Omit<StepReport, 'step'>>;
  /** Called before each step with the number of finished steps, and after the last step. */
  readonly progress?: ((done: number, step: Step | undefined) => void) | undefined;
}

/** Runs the steps that are not in the journal yet. The journal is kept until the caller removes it. */
export async function playSteps<
  Step extends { readonly name: string },
  Journal extends { readonly steps: SeenSteps },
>(
  steps: readonly Step[],
  first: Journal,
  { place, play, progress }: PlayedSteps<Step, Journal>,
): Promise<readonly StepReport[]> {
  let journal = first;
  for (const [index, step] of steps.entries()) {
    if (journal.steps[step.name]) continue;
    progress?.(index, step);
    const report = await play(step, journal);
    journal = { ...journal, steps: { ...journal.steps, [step.name]: report } };
    place.write(journal);
  }
  progress?.(steps.length, undefined);
  return steps.map(({ name }) => ({ step: name, tookMs: 0, observations: {}, ...journal.steps[name] }));
}

/** Creates a text that is part of all names that a rehearsal makes up. */
export function newRun(newId: () => string): string {
  return newId().replaceAll('-', '').slice(0, 12);
}

/**
 * The rehearsal could not remove all records or resources that it created. The message is a sentence that says what
 * remains.
 */
export class LeftBehind extends Error {}
