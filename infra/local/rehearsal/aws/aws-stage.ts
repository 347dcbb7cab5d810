import type { Clock } from '#shared/kernel';
import type { AssumptionVerdict } from '../assumption.ts';
import type { StandInAddresses } from './stand-in-services.ts';

export interface ScriptWish {
  readonly flags?: readonly string[];
  /** Settings as `key=value`. They override the settings that all deployments of the rehearsal share. */
  readonly settings?: readonly string[];
  /** Input that a person would type. */
  readonly input?: string;
  /** Absent during a removal, because Ctrl-C must not end a removal. */
  readonly signal?: AbortSignal | undefined;
}

/** The rehearsal's stack, and the commands that a person would type for it. */
export interface OwnStack {
  readonly name: string;
  /**
   * Runs `npm run deploy`, `back` or `destroy`.
   * @returns the output
   * @throws StepStopped if the command fails
   */
  script(script: 'deploy' | 'back' | 'destroy', wish?: ScriptWish): Promise<string>;
  /**
   * Runs a command with `--stack` and `--json`.
   * @returns the JSON document
   * @throws StepStopped if the command fails
   */
  cli(words: readonly string[], signal?: AbortSignal): Promise<unknown>;
  /** AWS actions that the commands called with the person's own rights, without duplicates. */
  calls(): readonly string[];
}

/** The tools of a step on AWS. */
export interface AwsStage {
  readonly stack: OwnStack;
  /** Reads an output of the deployed stack. @throws StepStopped if the stack has no output of this name */
  output(key: string): Promise<string>;
  /** Absent if the deployed functions cannot reach stand-ins of HubSpot and the data service. */
  readonly services: StandInAddresses | undefined;
  /** Whether this is AWS, not a stand-in. */
  readonly isReal: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  note(assumption: string, observation: AssumptionVerdict): void;
}

export interface AwsStep {
  readonly name: string;
  readonly about: string;
  /** Set if the step runs in each rehearsal. Other steps need it, or it removes resources that they used. */
  readonly isBasis?: true;
  readonly run: (stage: AwsStage) => Promise<void>;
}
