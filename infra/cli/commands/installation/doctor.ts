import { accessOf } from '../../../local/doctor/access.ts';
import { dataServiceCheck } from '../../../local/doctor/access-checks.ts';
import { alarmMailCheck } from '../../../local/doctor/alarm-mail-check.ts';
import { appCheck } from '../../../local/doctor/app-check.ts';
import type { Check } from '../../../local/doctor/check.ts';
import { findingsCheck, unknownMissesCheck } from '../../../local/doctor/findings-check.ts';
import { hubSpotChecks } from '../../../local/doctor/hubspot-checks.ts';
import { look } from '../../../local/doctor/look.ts';
import {
  booksTimeCheck,
  budgetCheck,
  clockChecks,
  queuesCheck,
  storeClockCheck,
  tablesCheck,
  writesCheck,
} from '../../../local/doctor/own-checks.ts';
import { searchCheck } from '../../../local/doctor/search-check.ts';
import { subscriptionsCheck, webhookCheck } from '../../../local/doctor/webhook-check.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from '../questions/ask-options.ts';

/** `doctor`: is everything there that the work needs? Free, and writes nothing. */
export function addDoctor(program: SheetCommand): void {
  const about = 'check keys, HubSpot, webhook, budgets and stores';
  withWait(program.command('doctor').description(about)).sheet(examine);
}

async function examine(run: CommandRun, options: CommandOptions & WaitOptions): Promise<Sheet> {
  const connection = await run.connect();
  const checks = await allChecks(connection, { waitMs: waitMsOf(options), signal: run.signal });
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  return {
    json: { ok: failed === 0, checks },
    body: [
      ...checks.map(checkLines),
      failed === 0 ? '\nNothing is in the way.' : `\n${failed} of ${checks.length} failed.`,
    ],
    exit: failed > 0 ? EXIT.failed : EXIT.ok,
  };
}

async function allChecks(
  connection: Connection,
  asking: { waitMs: number; signal: AbortSignal | undefined },
): Promise<Check[]> {
  const stores = [
    await tablesCheck(connection),
    await queuesCheck(connection),
    await writesCheck(connection),
  ];
  const found = [
    ...stores,
    await budgetCheck(connection),
    await booksTimeCheck(connection),
    await look('data service key', 'see the stores', () =>
      dataServiceCheck(accessOf(connection).dataService, { services: connection.services, ...asking }),
    ),
    await findingsCheck(connection),
    await unknownMissesCheck(connection),
    await searchCheck(connection),
    ...(await hubSpotChecks(connection)),
    await webhookCheck(connection),
    subscriptionsCheck(),
    await appCheck(connection),
    ...(connection.alarmSubscriptions ? [await alarmMailCheck(connection.alarmSubscriptions)] : []),
  ];
  return [...found, storeClockCheck(connection), ...clockChecks(connection.serverClocks())];
}

/** A check as `doctor` and `policy check` show it. */
export function checkLines({ verdict, name, seen, advice }: Check): string {
  const line = `${verdict.padEnd(4)}  ${name}: ${seen}`;
  return advice === undefined ? line : `${line}\n      -> ${advice}`;
}
