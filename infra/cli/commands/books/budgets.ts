import type { Command } from 'commander';
import type { BudgetState } from '#shared/credit-ledger';
import { instant } from '#shared/kernel';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, type Sheet, withCsv } from '../../terminal/output.ts';

/** `budgets`: every limit, with what is left of it and when it starts anew. */
export function addBudgets(program: Command, cli: Cli): void {
  withCsv(program.command('budgets').description('every limit, and what is left of it'))
    .addHelpText('after', example('budgets'))
    .action((options: OutputOptions) =>
      cli.connected(async ({ services, policy }) => {
        const budgets = (await services.ledger.now()).states();
        if (options.json) return printJson(cli.io, budgets);
        printSheet(cli.io, budgetSheet(budgets, policy.timeZone), options);
      }),
    );
}

/** Every budget with what is left of it. */
export function budgetSheet(budgets: readonly BudgetState[], timeZone: string): Sheet {
  const rows = budgets.map(
    ({ budget, limitCredits, usedCredits, leftCredits, keptCredits = 0, resetsAtMs }) => [
      budget,
      String(limitCredits),
      String(usedCredits),
      String(leftCredits),
      String(keptCredits),
      instant(resetsAtMs, timeZone),
    ],
  );
  return {
    columns: ['budget', 'limit', 'used', 'left', 'reserved for leads', `resets (${timeZone})`],
    rows,
    right: [1, 2, 3, 4],
  };
}
