import { Command, Option } from 'commander';
import { balanceAfter, csvHeader, csvLine, jsonLine, readLog } from '#shared/credit-ledger';
import { systemIds as newId } from '#shared/kernel/adapters';
import type { BookedDoubts } from '#shared/questions';
import { counted, figure } from '#shared/spend';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { calendarDay, note, text, wholeNumber } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, withJson } from '../../terminal/output.ts';
import { type SettingBack, setBack } from './set-back.ts';
import { verify } from './verify.ts';

/** `ledger verify|export|grant|reconcile|set-back`: the books themselves. */
export function ledgerCommand(cli: Cli): Command {
  const ledger = new Command('ledger').description('the books: check, export, correct');
  withJson(
    ledger
      .command('verify')
      .description(
        'replay all entries and compare them with the stored questions; exit code 1 if one is invalid',
      ),
  )
    .argument('[file]', 'what ledger export --json gave: it alone is checked, without any connection', text)
    .option('--statement <file>', 'with a file: what statement --json gave, held against it', text)
    .addHelpText('after', example('ledger verify'))
    .action((file: string | undefined, options: OutputOptions & { statement?: string }) =>
      verify(cli, { file, ...options }),
    );
  ledger
    .command('export')
    .description('all entries, oldest first, as CSV or as JSON lines')
    .addOption(new Option('--csv', 'CSV; so it is without --json, too').conflicts('json'))
    .addOption(
      new Option('--json', 'one JSON object a line: whole entries, for ledger verify').conflicts('csv'),
    )
    .addOption(new Option('--from <seq>', 'first entry').argParser(wholeNumber(1)).default(1))
    .addHelpText('after', example('ledger export --from 1000 > ledger.csv'))
    .action((options: OutputOptions & { from: number }) => exportLog(cli, options));
  const credits = new Option('--credits <number>', 'how many were bought').argParser(wholeNumber(1));
  withJson(ledger.command('grant').description('book credits that were bought'))
    .addOption(credits.makeOptionMandatory())
    .requiredOption('--note <text>', 'such as the number of the invoice; goes into the ledger', note)
    .addOption(new Option('--expires <date>', 'last day on which they can be spent').argParser(calendarDay))
    .addHelpText('after', example('ledger grant --credits 9000 --note 4711 --expires 2027-03-31'))
    .action((options: OutputOptions & Granting) => grant(cli, options));
  const balance = new Option('--balance <number>', 'what the dashboard shows').argParser(wholeNumber(0));
  withJson(ledger.command('reconcile').description("book the difference to the data service's dashboard"))
    .addOption(balance.makeOptionMandatory())
    .option('-y, --yes', 'book it without being asked')
    .addHelpText('after', example('ledger reconcile --balance 8250'))
    .action((options: OutputOptions & { balance: number; yes?: boolean }) => reconcile(cli, options));
  withJson(ledger.command('set-back').description('bring back to the present books that are ahead of time'))
    .requiredOption('--note <text>', 'what had put them ahead; goes into the ledger', note)
    .option('-y, --yes', 'set them back without being asked')
    .addHelpText('after', example('ledger set-back --note "a laptop with a wrong clock"'))
    .action((options: SettingBack) => setBack(cli, options));
  return ledger;
}

async function exportLog(cli: Cli, { json, from }: OutputOptions & { from: number }): Promise<void> {
  await cli.connected(async ({ services: { ledger, ledgerStore } }) => {
    if (!json) cli.io.out(csvHeader());
    const line = json ? jsonLine : csvLine;
    for await (const entry of readLog(ledgerStore, ledger.account, from)) cli.io.out(line(entry));
  });
}

interface Granting {
  readonly credits: number;
  readonly note: string;
  readonly expires?: string;
}

async function grant(
  cli: Cli,
  { credits: amountCredits, note: reason, expires: expiresOn, json }: OutputOptions & Granting,
): Promise<void> {
  await cli.connected(async ({ services: { ledger, questions } }) => {
    await ledger.apply({ kind: 'grant', id: `grant:${newId()}`, amountCredits, reason, expiresOn });
    await questions.breakers.creditsBooked();
    const seq = (await ledger.newest())?.seq;
    if (json) printJson(cli.io, { granted: amountCredits, expiresOn, seq });
    else
      cli.io.out(
        `Booked: ${counted(amountCredits, 'credit')} bought${expiresOn ? `, until ${expiresOn}` : ''}.\n`,
      );
  });
}

interface Reconciling extends OutputOptions {
  /** Credits that the data service's dashboard shows. */
  readonly balance: number;
  readonly yes?: boolean;
}

interface Computed {
  /** Granted + adjusted - posted since the first entry. */
  readonly credits: number;
  /** Under way or in doubt: may explain a difference that is not there for good. */
  readonly openCredits: number;
  /** Booked as charged without a proof: the dashboard may show so many more. */
  readonly bookedDoubts: BookedDoubts;
  readonly seq: number;
}

/** Holds the ledger's balance against the data service's own and, if a person agrees, books the difference. */
async function reconcile(cli: Cli, { balance, yes = false, json }: Reconciling): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const computed = await computedBalance(connection);
    const difference = balance - computed.credits;
    if (difference !== 0) {
      await consent(io, { question: differenceLine(computed, balance), yes });
      await book(connection, { difference, balance, expectedSeq: computed.seq });
    }
    const { credits: bookedDoubtCredits } = computed.bookedDoubts;
    const booked = bookedDoubtCredits > 0 ? { bookedDoubtCredits } : {};
    if (json) return printJson(io, { balance, computed: computed.credits, adjusted: difference, ...booked });
    io.out(difference === 0 ? 'The books agree.\n' : `Booked: an adjustment of ${signed(difference)}.\n`);
  });
}

async function computedBalance({ services }: Connection): Promise<Computed> {
  const [newest, bookedDoubts] = await Promise.all([services.ledger.newest(), services.bookedDoubts()]);
  if (!newest) return { credits: 0, openCredits: 0, bookedDoubts, seq: 0 };
  const { pending, doubtful } = newest.totals.lifetime;
  return { credits: balanceAfter(newest), openCredits: pending + doubtful, bookedDoubts, seq: newest.seq };
}

function differenceLine({ credits, openCredits, bookedDoubts }: Computed, balance: number): string {
  const booked =
    bookedDoubts.doubts.length > 0
      ? ` (${counted(bookedDoubts.credits, 'credit')} of doubts were booked as charged without a proof: settle those first, see doubts list)`
      : '';
  const open = openCredits > 0 ? ` (${counted(openCredits, 'credit')} are open and may explain it)` : '';
  return `The ledger comes to ${figure(credits)}, the dashboard to ${figure(balance)}${open}${booked}: book an adjustment of ${signed(balance - credits)}`;
}

/** What was booked while the person thought would make the adjustment wrong. */
async function book(
  { services: { ledger, questions } }: Connection,
  { difference, balance, expectedSeq }: { difference: number; balance: number; expectedSeq: number },
): Promise<void> {
  if (((await ledger.newest())?.seq ?? 0) !== expectedSeq) {
    const message = 'Credits were booked meanwhile; look at the dashboard once more and give --balance anew.';
    throw new CliError(message, { exit: EXIT.failed, code: 'books-moved' });
  }
  const reason = `reconciled with a balance of ${balance}`;
  await ledger.apply({ kind: 'adjust', id: `adjustment:${newId()}`, amountCredits: difference, reason });
  if (difference > 0) await questions.breakers.creditsBooked();
}

function signed(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
