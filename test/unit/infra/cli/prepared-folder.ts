import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectType } from '#shared/crm';
import { systemClock as clock } from '#shared/kernel/adapters';
import { openDataFolder } from '../../../../infra/local/data-folder.ts';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
} from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { askHubSpot } from './console.ts';

interface Preparing {
  readonly dataService: DataServiceSandbox;
  readonly hubSpot: ReturnType<typeof createHubSpotSandbox>['handle'];
  /** Creates a record in HubSpot. @returns its id. */
  readonly create: (objectType: ObjectType, properties: object) => Promise<string>;
}

/** A data folder that nobody works in, as a run leaves it: with what was prepared in the stand-ins. */
export async function prepareFolder(prepare: (stage: Preparing) => Promise<void>): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  const { handle: hubSpot, state } = createHubSpotSandbox({ clock, send: async () => new Response('') });
  const dataService = createDataServiceSandbox({ clock });
  const create = async (objectType: ObjectType, properties: object) => {
    const body = { objectType, properties };
    return String((await askHubSpot(hubSpot, { method: 'POST', path: '/_sandbox/create', body }))['id']);
  };
  await prepare({ dataService, hubSpot, create });
  const folder = await openDataFolder({ path: join(dataFolder, 'sandbox'), fresh: true, nowMs: clock.now() });
  await folder.save({ ...folder.saved, hubSpot: state(), dataService: dataService.state() });
  return dataFolder;
}
