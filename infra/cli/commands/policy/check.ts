import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { comparePolicies } from '#shared/enrichment';
import { type Policy, WRITE_MODES, type WriteMode } from '#shared/field-policy';
import { command, counted, type Wording, wording } from '#shared/kernel';
import { budgetLabel } from '#shared/spend';
import {
  choicesCheck,
  employerGroupCheck,
  targetsCheck,
  valueRulesCheck,
} from '../../../local/doctor/field-checks.ts';
import { privacyRulesChecks, rulesCheck } from '../../../local/doctor/rule-checks.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { checkLines } from '../installation/doctor.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { lackingLines } from './compare-words.ts';

/** `policy check`: checks that the policy fits the HubSpot account. */
export function addCheck(policy: SheetCommand): void {
  policy
    .command('check')
    .description('check the policy against the HubSpot account; writes and spends nothing')
    .example('--policy my-policy.ts')
    .sheet(check);
}

async function check(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const { policy } = connection;
  const checksByType = OBJECT_TYPES.map(async (type) => [
    await targetsCheck(connection, type),
    await choicesCheck(connection, type),
    await valueRulesCheck(connection, type),
    await rulesCheck(connection, type),
    ...(await privacyRulesChecks(connection, type)),
  ]);
  const checks = [employerGroupCheck(connection), ...(await Promise.all(checksByType)).flat()];
  const fields = Object.fromEntries(OBJECT_TYPES.map((type) => [type, modesOf(policy, type)]));
  const { version, mode, budgets } = policy;
  const hasFailed = checks.some(({ verdict }) => verdict === 'fail');
  const lacking = hasFailed ? {} : await lackingNow(run, connection);
  return {
    json: { version, mode, fields, budgets, checks, lacking },
    body: [...headOf(policy), ...checks.map(checkLines), ...lackingLines(lacking)],
    exit: hasFailed ? EXIT.failed : EXIT.ok,
  };
}

/** Counts the records whose stored answer lacks an option of the policy. */
async function lackingNow({ signal, progress }: CommandRun, connection: Connection) {
  const { policy } = connection;
  const over = { before: policy, after: policy, signal, onProgress: progress({ noun: 'records' }) };
  return (await comparePolicies(await enrichmentServices(connection), over)).lacking;
}

const IN_SHADOW = wording`In shadow mode, a value is written to HubSpot only after a person accepts it. To see the proposals: ${command('review list')}`;

/** Number of properties by write mode. */
function modesOf({ fields }: Policy, objectType: ObjectType): Partial<Record<WriteMode, number>> {
  const rules = new Map(fields[objectType].map((rule) => [rule.property, rule.write]));
  const modes = WRITE_MODES.map((mode) => [mode, [...rules.values()].filter((one) => one === mode).length]);
  return Object.fromEntries(modes.filter(([, count]) => count !== 0));
}

function headOf(policy: Policy): Wording[] {
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
  return [`Policy ${version}`, ...shadow, ...fields, ...limits, `Days and months are those of ${timeZone}.`];
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
