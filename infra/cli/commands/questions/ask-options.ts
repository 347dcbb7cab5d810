import { type Command, Option } from 'commander';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { wholeNumber } from '../../terminal/option-values.ts';

/** Common to the commands that print records of the data service for credits. */
export const ASKING = { csv: true, wide: true, yes: 'agree to the price beforehand' } as const;

export interface WaitOptions {
  /** Seconds. */
  readonly wait: number;
}

/** A full minute of the vendor's rate, and as long again for who comes before us. */
const WAIT_S = 120;

export function withWait(command: Command): Command {
  const wait = new Option('--wait <seconds>', "how long to wait for the data service's rate");
  return command.addOption(wait.argParser(wholeNumber(0)).default(WAIT_S));
}

export function waitMsOf({ wait }: WaitOptions): number {
  return wait * SECOND_MS;
}
