import { isAhead } from '#shared/credit-ledger';
import { command, instant, refuseWrongClock, wording } from '#shared/kernel';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';

/** Corrects a ledger whose time is in the future: sets its time back to this machine's clock, if a person agrees. */
export async function setBack(
  run: CommandRun,
  { note }: CommandOptions & { readonly note: string },
): Promise<Sheet> {
  const { services, policy } = await run.connect();
  const newest = await services.ledger.newest();
  refuseWrongClock(services.questions);
  const nowMs = services.questions.clock.now();
  if (!newest || !isAhead(newest, nowMs)) throw notAhead();
  const [then, now] = [newest.atMs, nowMs].map((ms) => instant(ms, policy.timeZone));
  await run.agree(
    `The newest entry is dated ${then}, but it is ${now}. Entries of later days will count today. Set the books back`,
  );
  const entry = await services.ledger.setBack(note);
  if (!entry) throw notAhead();
  const { seq, day } = entry;
  return {
    json: { setBack: true, seq, day },
    body: [wording`Booked: the books are back at ${now ?? ''}. To see the budgets: ${command('budgets')}`],
  };
}

function notAhead(): CliError {
  const message = 'The books are not ahead of time by more than an hour: there is nothing to set back.';
  return new CliError(message, { code: 'not-ahead' });
}
