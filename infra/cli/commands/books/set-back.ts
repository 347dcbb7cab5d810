import { isAhead } from '#shared/credit-ledger';
import { command, instant, wording } from '#shared/kernel';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';

/** Sets books that are ahead of time back to the store's, if a person agrees. */
export async function setBack(
  run: CommandRun,
  { note }: CommandOptions & { readonly note: string },
): Promise<Sheet> {
  const { services, policy } = await run.connect();
  const newest = await services.ledger.newest();
  const nowMs = services.questions.clock.now();
  if (!newest || !isAhead(newest, nowMs)) throw notAhead();
  const [then, now] = [newest.atMs, nowMs].map((ms) => instant(ms, policy.timeZone));
  await run.agree(
    `The newest entry says ${then}, and it is ${now}: set the books back, and count today what they hold of days to come`,
  );
  const done = await services.setBackBooks(note);
  if (done.kind === 'not-ahead') throw notAhead();
  const { seq, day } = done.entry;
  return {
    json: { setBack: true, seq, day },
    body: [
      wording`Booked: the books are of ${now ?? ''} again. See what is left of it with: ${command('budgets')}`,
    ],
  };
}

function notAhead(): CliError {
  const message = 'The books are not ahead of time by more than an hour: there is nothing to set back.';
  return new CliError(message, { exit: EXIT.refused, code: 'not-ahead' });
}
