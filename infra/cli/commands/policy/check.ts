import type { Command } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Policy, WRITE_MODES, type WriteMode } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { budgetLabel } from '#shared/spend';
import { choicesCheck, targetsCheck, valueRulesCheck } from '../../../local/doctor/field-checks.ts';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, withJson } from '../../terminal/output.ts';

/** `policy check`: whether the policy and the HubSpot account go together. */
export function addCheck(policy: Command, cli: Cli): void {
  withJson(policy.command('check'))
    .description('reads the policy, and holds it against the HubSpot account; writes and spends nothing')
    .addHelpText('after', example('--policy my-policy.ts policy check'))
    .action((options: OutputOptions) => check(cli, options));
}

async function check(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const { policy } = connection;
    const of = OBJECT_TYPES.map(async (type) => [
      await targetsCheck(connection, type),
      await choicesCheck(connection, type),
      await valueRulesCheck(connection, type),
    ]);
    const checks = (await Promise.all(of)).flat();
    if (checks.some(({ verdict }) => verdict === 'fail')) cli.end(EXIT.failed);
    const fields = Object.fromEntries(OBJECT_TYPES.map((type) => [type, modesOf(policy, type)]));
    if (options.json) {
      printJson(cli.io, {
        version: policy.version,
        mode: policy.mode,
        fields,
        budgets: policy.budgets,
        checks,
      });
      return;
    }
    cli.io.out(`${headOf(policy)}\n`);
    for (const { verdict, name, seen, advice } of checks)
      cli.io.out(`${verdict.padEnd(4)}  ${name}: ${seen}\n${advice ? `      -> ${advice}\n` : ''}`);
  });
}

const IN_SHADOW = 'In shadow: nothing is written to HubSpot until a person accepts it (review list).';

/** How many properties are written in which way. */
function modesOf({ fields }: Policy, objectType: ObjectType): Partial<Record<WriteMode, number>> {
  const rules = new Map(fields[objectType].map((rule) => [rule.property, rule.write]));
  const modes = WRITE_MODES.map((mode) => [mode, [...rules.values()].filter((one) => one === mode).length]);
  return Object.fromEntries(modes.filter(([, count]) => count !== 0));
}

function headOf(policy: Policy): string {
  const { budgets, version, timeZone } = policy;
  const fields = OBJECT_TYPES.map((type) => {
    const modes = Object.entries(modesOf(policy, type)).map(([mode, count]) => `${count} ${mode}`);
    return `${type}: ${modes.join(', ')}`;
  });
  const limits = [
    ...limitsOf('total', budgets),
    ...Object.entries(budgets.purposes).flatMap(([purpose, limit]) => limitsOf(purpose, limit ?? {})),
  ];
  const shadow = policy.mode === 'shadow' ? [IN_SHADOW] : [];
  return [
    `Policy ${version}`,
    ...shadow,
    ...fields,
    ...limits,
    `Days and months are those of ${timeZone}.`,
  ].join('\n');
}

function limitsOf(
  scope: string,
  { perDay, perMonth }: { perDay?: number | undefined; perMonth?: number | undefined },
) {
  return [
    ...(perDay === undefined ? [] : [`${budgetLabel(`${scope}/day`)}: ${counted(perDay, 'credit')}`]),
    ...(perMonth === undefined ? [] : [`${budgetLabel(`${scope}/month`)}: ${counted(perMonth, 'credit')}`]),
  ];
}
