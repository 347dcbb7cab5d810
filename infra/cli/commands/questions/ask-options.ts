import { type Command, Option } from 'commander';
import { SECOND_MS } from '#shared/kernel';
import { wholeNumber } from '../../terminal/option-values.ts';
import { type OutputOptions, withCsv } from '../../terminal/output.ts';

/** What every command that may cost credits takes. */
export interface AskOptions extends OutputOptions {
  readonly yes?: boolean;
  /** Seconds. */
  readonly wait: number;
}

/** A full minute of the vendor's rate, and as long again for who comes before us. */
const WAIT_S = 120;

export function withAskOptions(command: Command): Command {
  return withWait(
    withCsv(command)
      .option('--wide', 'show all fields, not only the usual ones')
      .option('-y, --yes', 'agree to the price beforehand'),
  );
}

export function withWait(command: Command): Command {
  const wait = new Option('--wait <seconds>', "how long to wait for the data service's rate");
  return command.addOption(wait.argParser(wholeNumber(0)).default(WAIT_S));
}

export function waitMsOf({ wait }: Pick<AskOptions, 'wait'>): number {
  return wait * SECOND_MS;
}
