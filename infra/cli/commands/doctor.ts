import { counted } from '#shared/kernel';
import { KEY_CHECK } from '../../doctor/access-checks.ts';
import { hubSpotChecks } from '../../doctor/account-checks.ts';
import { type Check, runChecks } from '../../doctor/check.ts';
import { FINDINGS_CHECKS } from '../../doctor/findings-check.ts';
import { ALARM_MAIL, clockCheck, clockChecks, STORE_CHECKS, stopsChecks } from '../../doctor/own-checks.ts';
import { appCheck, subscriptionsCheck, webhookCheck } from '../../doctor/webhook-checks.ts';
import type { KeyAsking } from '../../local/own-installation.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { EXIT } from '../terminal/exit.ts';
import type { Sheet } from '../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from './asker.ts';

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
  const stores = await runChecks(STORE_CHECKS, connection);
  const key = await runChecks([KEY_CHECK], { ...connection, ...asking });
  const found = [
    ...stores,
    ...key,
    ...(await stopsChecks(connection, { isKeyRefused: key.some(({ verdict }) => verdict === 'fail') })),
    ...(await runChecks(FINDINGS_CHECKS, connection)),
    ...(await hubSpotChecks(connection)),
    await webhookCheck(connection),
    subscriptionsCheck(connection),
    await appCheck(connection),
    ...(connection.alarmSubscriptions ? await runChecks([ALARM_MAIL], connection.alarmSubscriptions) : []),
  ];
  // The answers to the other checks show the servers' clocks.
  return [clockCheck(connection), ...clockChecks(connection.serverClocks()), ...found];
}

/** Lines of a check, for `doctor` and `policy check`. */
export function checkLines({ verdict, name, seen, advice }: Check): string {
  const line = `${verdict.padEnd(4)}  ${name}: ${seen}`;
  return advice === undefined ? line : `${line}\n      -> ${advice}`;
}
