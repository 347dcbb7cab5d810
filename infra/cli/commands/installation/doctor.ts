import { counted } from '#shared/kernel';
import { accessOf } from '../../../local/doctor/access.ts';
import { dataServiceCheck, KEY_CHECK } from '../../../local/doctor/access-checks.ts';
import { alarmMailCheck } from '../../../local/doctor/alarm-mail-check.ts';
import { appCheck } from '../../../local/doctor/app-check.ts';
import type { Check } from '../../../local/doctor/check.ts';
import { findingsCheck, unknownMissesCheck } from '../../../local/doctor/findings-check.ts';
import { hubSpotChecks } from '../../../local/doctor/hubspot-checks.ts';
import {
  booksCheck,
  booksTimeCheck,
  budgetCheck,
  clockCheck,
  clockChecks,
  queuesCheck,
  tablesCheck,
} from '../../../local/doctor/own-checks.ts';
import { runCheck } from '../../../local/doctor/run-check.ts';
import { stopsChecks } from '../../../local/doctor/stops-check.ts';
import { subscriptionsCheck, webhookCheck } from '../../../local/doctor/webhook-check.ts';
import type { KeyAsking } from '../../../local/own-installation.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from '../questions/ask-options.ts';

/** `doctor`: checks the whole installation. It is free and writes nothing. */
export function addDoctor(program: SheetCommand): void {
  const about = 'check keys, HubSpot, webhook, budgets and stores';
  withWait(program.command('doctor').description(about)).sheet(examine);
}

async function examine(run: CommandRun, options: CommandOptions & WaitOptions): Promise<Sheet> {
  const connection = await run.connect();
  const checks = await allChecks(connection, { waitMs: waitMsOf(options), signal: run.signal });
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  const warned = checks.filter(({ verdict }) => verdict === 'warn').length;
  const end = warned === 0 ? '.' : `, but see ${counted(warned, 'warning')}.`;
  return {
    json: { ok: failed === 0, checks },
    body: [
      ...checks.map(checkLines),
      failed === 0 ? `\nNo fault was found${end}` : `\n${failed} of ${checks.length} failed.`,
    ],
    exit: failed > 0 ? EXIT.failed : EXIT.ok,
  };
}

async function allChecks(
  connection: Connection,
  asking: Pick<KeyAsking, 'waitMs' | 'signal'>,
): Promise<Check[]> {
  const stores = [await tablesCheck(connection), await queuesCheck(connection)];
  const key = await keyCheck(connection, asking);
  const found = [
    ...stores,
    await booksCheck(connection),
    await booksTimeCheck(connection),
    await budgetCheck(connection),
    key,
    ...(await stopsChecks(connection, { isKeyRefused: key.verdict === 'fail' })),
    await findingsCheck(connection),
    await unknownMissesCheck(connection),
    ...(await hubSpotChecks(connection)),
    await webhookCheck(connection),
    subscriptionsCheck(connection),
    await appCheck(connection),
    ...(connection.alarmSubscriptions ? [await alarmMailCheck(connection.alarmSubscriptions)] : []),
  ];
  // The answers to the other checks show the servers' clocks.
  return [clockCheck(connection), ...clockChecks(connection.serverClocks()), ...found];
}

function keyCheck(connection: Connection, asking: Pick<KeyAsking, 'waitMs' | 'signal'>): Promise<Check> {
  const { services } = connection;
  return runCheck(KEY_CHECK, 'stores-fail', () =>
    dataServiceCheck(accessOf(connection).dataService, { services, ...asking }),
  );
}

/** Lines of a check, for `doctor` and `policy check`. */
export function checkLines({ verdict, name, seen, advice }: Check): string {
  const line = `${verdict.padEnd(4)}  ${name}: ${seen}`;
  return advice === undefined ? line : `${line}\n      -> ${advice}`;
}
