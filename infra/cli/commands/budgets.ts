import type { Command } from 'commander';
import { budgetSheet } from '../budget-sheet.ts';
import type { Cli } from '../cli.ts';
import { example } from '../example.ts';
import { type OutputOptions, printJson, printSheet, withCsv } from '../output.ts';

/** `budgets`: every limit, with what is left of it and when it starts anew. */
export function addBudgets(program: Command, cli: Cli): void {
  withCsv(program.command('budgets').description('every limit, and what is left of it'))
    .addHelpText('after', example('budgets'))
    .action((options: OutputOptions) =>
      cli.connected(async ({ parts, policy }) => {
        const budgets = await parts.ledger.budgets();
        if (options.json) return printJson(cli.io, budgets);
        printSheet(cli.io, budgetSheet(budgets, policy.timeZone), options);
      }),
    );
}
