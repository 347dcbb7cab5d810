import { Option } from 'commander';
import { balanceAfter, csvHeader, csvLine, jsonLine, readLog } from '#shared/credit-ledger';
import { counted, dayOf, refuseWrongClock } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import { compareBalance, signedCredits } from '#shared/spend';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { calendarDay, noteText, text, wholeNumber } from '../../terminal/option-values.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { setBack } from './set-back.ts';
import { verify } from './verify.ts';

/** `ledger verify|export|grant|reconcile|set-back`: verifies, exports and corrects the ledger. */
export function addLedger(program: SheetCommand): void {
  const ledger = program.command('ledger').description('verify, export and correct the ledger');
  ledger
    .command('verify')
    .description('verify all entries and compare them with the stored questions; exit code 1 if one is wrong')
    .argument('[file]', 'a file from ledger export --json: verifies it without any connection', text)
    .option('--statement <file>', 'with a file: a statement from statement --json to compare', text)
    .sheet(verify);
  ledger
    .command('export')
    .description('print all entries, oldest first, as CSV or JSON lines')
    .addOption(new Option('--csv', 'print CSV (default)').conflicts('json'))
    .addOption(new Option('--json', 'print one JSON object per line, for ledger verify').conflicts('csv'))
    .option('--from <seq>', 'first entry', wholeNumber(1), 1)
    .example('--from 1000 > ledger.csv')
    .sheet(exportEntries);
  ledger
    .command('grant')
    .description('book purchased credits')
    .requiredOption('--credits <number>', 'number of credits', wholeNumber(1))
    .requiredOption('--note <text>', 'such as the invoice number; kept in the ledger', noteText)
    .option('--expires <date>', 'last day on which they can be spent', calendarDay)
    .example('--credits 9000 --note 4711 --expires 2027-03-31')
    .sheet(grant);
  ledger
    .command('reconcile')
    .description("compare with the data service's balance and book the difference")
    .requiredOption('--balance <number>', 'the balance that its dashboard shows', wholeNumber(0))
    .yes('agree beforehand')
    .example('--balance 8250')
    .sheet(reconcile);
  ledger
    .command('set-back')
    .description('correct a ledger whose time is ahead after a wrong clock')
    .requiredOption('--note <text>', 'the cause; kept in the ledger', noteText)
    .yes('agree beforehand')
    .example('--note "a laptop with a wrong clock"')
    .sheet(setBack);
}

async function exportEntries(
  run: CommandRun,
  { json, from }: CommandOptions & { readonly from: number },
): Promise<Sheet> {
  const { services } = await run.connect();
  return { stream: exported(services, { json, from }) };
}

async function* exported(
  { ledgerStore }: Connection['services'],
  { json, from }: { readonly json: boolean | undefined; readonly from: number },
): AsyncGenerator<string> {
  if (!json) yield csvHeader();
  const line = json ? jsonLine : csvLine;
  for await (const entry of readLog(ledgerStore, from)) yield line(entry, ledgerStore.owners);
}

interface Granting extends CommandOptions {
  readonly credits: number;
  readonly note: string;
  readonly expires?: string;
}

async function grant(
  run: CommandRun,
  { credits: amountCredits, note: reason, expires: expiresOn }: Granting,
): Promise<Sheet> {
  const { services, newId, clock, policy } = await run.connect();
  const { ledger, questions } = services;
  if (expiresOn !== undefined && expiresOn < dayOf(clock.now(), policy.timeZone))
    throw argumentRefusal('day-past', { option: '--expires', day: expiresOn });
  // The read shows the store's time.
  await ledger.newest();
  refuseWrongClock(questions);
  await ledger.apply({ kind: 'grant', id: `grant:${newId()}`, amountCredits, reason, expiresOn });
  await questions.breakers.creditsBooked();
  const until = expiresOn ? `, until ${expiresOn}` : '';
  return {
    json: { granted: amountCredits, expiresOn, seq: (await ledger.newest())?.seq },
    body: [`Booked: ${counted(amountCredits, 'credit')} bought${until}.`],
  };
}

type Computed = Parameters<typeof compareBalance>[0] & {
  readonly bookedDoubts: BookedDoubts;
  readonly seq: number;
};

/**
 * Compares the ledger's balance with the data service's and, if a person agrees, books the difference.
 * @param balance credits that the data service's dashboard shows
 */
async function reconcile(
  run: CommandRun,
  { balance }: CommandOptions & { readonly balance: number },
): Promise<Sheet> {
  const connection = await run.connect();
  const computed = await computedBalance(connection);
  const difference = balance - computed.credits;
  const comparison = compareBalance(computed, balance);
  if (comparison.kind === 'open')
    throw new CliError(comparison.words, {
      ...{ exit: EXIT.refused, code: comparison.code, params: { ...comparison.params } },
    });
  if (comparison.kind === 'different') {
    await run.agree(comparison.words);
    await book(connection, { difference, balance, expectedSeq: computed.seq });
  }
  const { credits: bookedDoubtCredits } = computed.bookedDoubts;
  const booked = bookedDoubtCredits > 0 ? { bookedDoubtCredits } : {};
  return {
    json: { balance, computed: computed.credits, adjusted: difference, ...booked },
    body: [difference === 0 ? 'The books agree.' : `Booked: an adjustment of ${signedCredits(difference)}.`],
  };
}

async function computedBalance({ services }: Connection): Promise<Computed> {
  const [newest, bookedDoubts] = await Promise.all([services.ledger.newest(), services.bookedDoubts()]);
  const { pending: pendingCredits = 0, doubtful: doubtfulCredits = 0 } = newest?.totals.lifetime ?? {};
  const credits = newest ? balanceAfter(newest) : 0;
  return { credits, pendingCredits, doubtfulCredits, bookedDoubts, seq: newest?.seq ?? 0 };
}

/** Books the adjustment, unless credits were booked since the comparison. The difference would then be wrong. */
async function book(
  { services: { ledger, questions }, newId }: Connection,
  { difference, balance, expectedSeq }: { difference: number; balance: number; expectedSeq: number },
): Promise<void> {
  refuseWrongClock(questions);
  if (((await ledger.newest())?.seq ?? 0) !== expectedSeq) {
    const message =
      'Credits were booked meanwhile; read the balance in the dashboard again, and repeat the command with it.';
    throw new CliError(message, { code: 'books-moved' });
  }
  const reason = `reconciled with a balance of ${balance}`;
  await ledger.apply({ kind: 'adjust', id: `adjustment:${newId()}`, amountCredits: difference, reason });
  if (difference > 0) await questions.breakers.creditsBooked();
}
