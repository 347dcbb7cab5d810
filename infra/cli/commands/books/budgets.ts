import type { Command } from 'commander';
import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { instant } from '#shared/spend/figures.ts';
import type { Cli } from '../../cli.ts';
import { define } from '../../command-run.ts';
import type { Table } from '../../terminal/sheet.ts';

/** `budgets`: every limit, with what is left of it and when it starts anew. */
export function addBudgets(program: Command, cli: Cli): void {
  const manners = { about: 'every limit, and what is left of it', csv: true, examples: ['budgets'] };
  define(cli, program.command('budgets'), manners, async (run) => {
    const { services, policy } = await run.connect();
    const budgets = await services.ledger.budgets();
    return { json: budgets, body: [budgetTable(budgets, policy.timeZone)] };
  });
}

/** Every budget with what is left of it. */
export function budgetTable(budgets: readonly BudgetState[], timeZone: string): Table {
  return {
    columns: ['budget', 'limit', 'used', 'left', 'reserved for leads', `resets (${timeZone})`],
    rows: budgets.map(({ budget, limitCredits, usedCredits, leftCredits, keptCredits = 0, resetsAtMs }) => [
      ...[budget, limitCredits, usedCredits, leftCredits, keptCredits],
      instant(resetsAtMs, timeZone),
    ]),
  };
}
