import { isAhead } from '#shared/credit-ledger';
import { instant } from '#shared/kernel';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson } from '../../terminal/output.ts';

export interface SettingBack extends OutputOptions {
  readonly note: string;
  readonly yes?: boolean;
}

/** Sets books that are ahead of time back to the store's, if a person agrees. */
export async function setBack(cli: Cli, { note, yes = false, json }: SettingBack): Promise<void> {
  const { io } = cli;
  await cli.connected(async ({ services: { ledger, setBackBooks, questions }, policy: { timeZone } }) => {
    const newest = await ledger.newest();
    const nowMs = questions.clock.now();
    if (!newest || !isAhead(newest, nowMs)) throw notAhead();
    const [then, now] = [newest.atMs, nowMs].map((ms) => instant(ms, timeZone));
    const question = `The newest entry says ${then}, and it is ${now}: set the books back, and count today what they hold of days to come`;
    await consent(io, { question, yes });
    const done = await setBackBooks(note);
    if (done.kind === 'not-ahead') throw notAhead();
    const { seq, day } = done.entry;
    if (json) return printJson(io, { setBack: true, seq, day });
    io.out(`Booked: the books are of ${now} again. See what is left of it with: budgets\n`);
  });
}

function notAhead(): CliError {
  const message = 'The books are not ahead of time by more than an hour: there is nothing to set back.';
  return new CliError(message, { exit: EXIT.refused, code: 'not-ahead' });
}
