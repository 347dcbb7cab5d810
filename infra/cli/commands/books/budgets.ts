import type { BudgetState } from '#shared/credit-ledger';
import { instant } from '#shared/kernel';
import type { SheetCommand } from '../../sheet-command.ts';
import type { Table } from '../../terminal/sheet.ts';

/** `budgets`: every budget, with its limit, the credits left and the time of its reset. */
export function addBudgets(program: SheetCommand): void {
  const command = program.command('budgets').description('show each budget and what is left of it').csv();
  command.sheet(async (run) => {
    const { services, policy } = await run.connect();
    const budgets = (await services.ledger.now()).states();
    return { json: budgets, body: [budgetTable(budgets, policy.timeZone)] };
  });
}

/** Table of every budget and its remaining credits. */
export function budgetTable(budgets: readonly BudgetState[], timeZone: string): Table {
  return {
    columns: ['budget', 'limit', 'used', 'left', 'reserved for leads', `resets (${timeZone})`],
    rows: budgets.map(({ budget, limitCredits, usedCredits, leftCredits, keptCredits = 0, resetsAtMs }) => [
      ...[budget, limitCredits, usedCredits, leftCredits, keptCredits],
      instant(resetsAtMs, timeZone),
    ]),
  };
}
