import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANES } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import { type Clock, counted } from '#shared/kernel';
import { FORMAT } from '#shared/store';
import { openSqliteQueues } from '#shared/work-queue/adapters';
import { compareBooks } from '../compare-books.ts';
import { holdsData, newTables, replaceData } from '../data-folder.ts';
import { storeFileIn } from '../local-store.ts';
import { makeFolder } from '../make-folder.ts';
import type { Narrator } from '../narrator.ts';
import type { LocalSettings } from '../settings.ts';
import { settingsError } from '../settings-error.ts';
import { type Month, simulateMonth } from './month.ts';
import type { World } from './world.ts';

/** Any seed works. The month of this seed was reviewed. */
const SEED = 1;

interface MonthSurroundings {
  readonly policy: Policy;
  readonly settings: LocalSettings;
  readonly narrator: Narrator;
  readonly clock: Clock;
}

/**
 * Simulates a month that ends now, and replaces the data folder's content with its final state in one step.
 * @returns whether its ledger agrees with the bill.
 * @throws SettingsError if the folder has data and `--fresh` is not set.
 */
export async function createMonthData(
  path: string,
  { policy, settings, narrator, clock }: MonthSurroundings,
): Promise<boolean> {
  const { fresh, policyFile } = settings;
  if (!fresh && holdsData(path)) throw settingsError('folder-not-empty', { folder: path });
  narrator.say('Simulating a month, which takes a few seconds.');
  const startedAt = clock.monotonic();
  const log: string[] = [];
  const month = await simulateMonth({
    ...{ policy, policyFile, seed: SEED, endMs: clock.now() },
    write: (line) => log.push(`${line}\n`),
  });
  await appendFile(join(path, 'log.jsonl'), log.join(''));
  await keep(path, month.world);
  const agrees = await summarise(month, narrator);
  narrator.say(`The simulation took ${((clock.monotonic() - startedAt) / 1000).toFixed(1)} s.\n`);
  return agrees;
}

async function keep(path: string, world: World): Promise<void> {
  const { store, queues, hubSpot, dataService, installedAtMs, installationSecret } = world;
  const tables = newTables();
  makeFolder(join(path, tables));
  const { database, patiently, atomically } = store;
  const kept = openSqliteQueues({ database, patiently, atomically, clock: world.clock, newId: world.newId });
  for (const lane of LANES) await kept[lane].queue.sendBodies(queues[lane].unfinished());
  database.prepare('VACUUM INTO ?').run(storeFileIn(join(path, tables)));
  const standIns = { hubSpot: hubSpot.state(), dataService: dataService.state() };
  await replaceData(path, {
    ...{ format: FORMAT, installedAtMs, installationSecret, tables },
    ...standIns,
  });
}

async function summarise({ world, counts }: Month, narrator: Narrator): Promise<boolean> {
  const { system, dataService } = world;
  const { posted = 0, doubtful = 0 } = (await system.services.ledger.newest())?.totals.lifetime ?? {};
  const { credits: booked } = await system.services.bookedDoubts();
  const charged = dataService.bill().creditsCharged;
  narrator.say(`Outcomes: ${listed(counts.outcomes)}; ${counted(counts.fieldsFilled, 'field')} filled.`);
  narrator.say(`Waits, by reason: ${listed(counts.waits)}.`);
  narrator.say(`Credits: ledger ${posted}, the data service's own bill ${charged}.`);
  return compareBooks(narrator, { posted, doubtful, booked, charged });
}

/** `765 enriched, 44 unmatched` */
function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}
