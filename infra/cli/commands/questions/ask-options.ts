import { Option } from 'commander';
import { SECOND_MS } from '#shared/kernel';
import type { SheetCommand } from '../../sheet-command.ts';
import { wholeNumber } from '../../terminal/option-values.ts';

export interface WaitOptions {
  /** Seconds. */
  readonly wait: number;
}

/** One full minute of the vendor's rate limit, and another one for requests that are first in the queue. */
const WAIT_S = 120;

export function withAskOptions(command: SheetCommand): SheetCommand {
  return withWait(command.csv())
    .option('--wide', 'show all fields, not only the usual ones')
    .yes('agree to the price beforehand');
}

export function withWait(command: SheetCommand): SheetCommand {
  const wait = new Option('--wait <seconds>', "longest wait for the data service's rate limit");
  return command.addOption(wait.argParser(wholeNumber(0)).default(WAIT_S));
}

export function waitMsOf({ wait }: WaitOptions): number {
  return wait * SECOND_MS;
}
