import type { Clock } from '#shared/kernel';
import type { AssumptionVerdict } from '../assumption.ts';
import type { StandInAddresses } from './stand-in-services.ts';

export interface ScriptWish {
  readonly flags?: readonly string[];
  /** Settings over those of every deployment of the rehearsal, as `key=value`. */
  readonly settings?: readonly string[];
  /** What a person would type. */
  readonly input?: string;
  /** Absent where no Ctrl-C may end it: while something is removed. */
  readonly signal?: AbortSignal | undefined;
}

/** The one stack of the rehearsal, and the commands that a person would type for it. */
export interface OwnStack {
  readonly name: string;
  /** One of `npm run deploy`, `back`, `destroy`. @returns what it printed @throws StepStopped where it fails */
  script(script: 'deploy' | 'back' | 'destroy', wish?: ScriptWish): Promise<string>;
  /** The command line with `--stack` and `--json`. @returns its document @throws StepStopped where it fails */
  cli(words: readonly string[], signal?: AbortSignal): Promise<unknown>;
  /** Actions of AWS that the commands called with the person's own rights, each once. */
  calls(): readonly string[];
}

/** What a step on AWS works with. */
export interface AwsStage {
  readonly stack: OwnStack;
  /** Of the deployed stack. @throws StepStopped where it has none of this name */
  output(key: string): Promise<string>;
  /** Absent where the deployed functions reach no stand-in of HubSpot and the data service. */
  readonly services: StandInAddresses | undefined;
  /** Whether it is AWS, and no stand-in. */
  readonly isReal: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  note(assumption: string, observation: AssumptionVerdict): void;
}

export interface AwsStep {
  readonly name: string;
  readonly about: string;
  /** Played each time, because the other steps need it or because it removes what they used. */
  readonly isBasis?: true;
  readonly run: (stage: AwsStage) => Promise<void>;
}
