import { systemIds as newId } from '#shared/kernel/ids.system.ts';
import { counted, figure } from '#shared/spend/figures.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson } from '../../terminal/output.ts';

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
  readonly seq: number;
}

/** Holds the ledger's balance against the data service's own and, if a person agrees, books the difference. */
export async function reconcile(cli: Cli, { balance, yes = false, json }: Reconciling): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const computed = await computedBalance(connection);
    const difference = balance - computed.credits;
    if (difference !== 0) {
      await consent(io, { question: differenceLine(computed, balance), yes });
      await book(connection, { difference, balance, expectedSeq: computed.seq });
    }
    if (json) return printJson(io, { balance, computed: computed.credits, adjusted: difference });
    io.out(difference === 0 ? 'The books agree.\n' : `Booked: an adjustment of ${signed(difference)}.\n`);
  });
}

async function computedBalance({ services }: Connection): Promise<Computed> {
  const newest = await services.ledger.newest();
  if (!newest) return { credits: 0, openCredits: 0, seq: 0 };
  const { granted, adjusted, posted, pending, doubtful } = newest.totals.lifetime;
  return { credits: granted + adjusted - posted, openCredits: pending + doubtful, seq: newest.seq };
}

function differenceLine({ credits, openCredits }: Computed, balance: number): string {
  const open = openCredits > 0 ? ` (${counted(openCredits, 'credit')} are open and may explain it)` : '';
  return `The ledger comes to ${figure(credits)}, the dashboard to ${figure(balance)}${open}: book an adjustment of ${signed(balance - credits)}`;
}

/** What was booked while the person thought would make the adjustment wrong. */
async function book(
  { services: { ledger } }: Connection,
  { difference, balance, expectedSeq }: { difference: number; balance: number; expectedSeq: number },
): Promise<void> {
  if (((await ledger.newest())?.seq ?? 0) !== expectedSeq) {
    const message = 'Credits were booked meanwhile; look at the dashboard once more and give --balance anew.';
    throw new CliError(message, { exit: EXIT.failed, code: 'books-moved' });
  }
  const reason = `reconciled with a balance of ${balance}`;
  await ledger.apply({ kind: 'adjust', id: `adjustment:${newId()}`, amountCredits: difference, reason });
}

function signed(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
