import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createHandler } from '../../functions/enrich-records/handler.ts';
import { contact } from '../builders/people.ts';
import { isDrained } from '../builders/steps.ts';
import { createWorld } from '../builders/world.ts';

/**
 * Prints how much code one new contact passes through: from HubSpot's webhook over the queue to what is written
 * back, with all other parts at rest and a worker that has started. Counted are the files of `shared` and `functions`
 * in which a named function was called at least once, and those functions; a function without a name and a module's
 * top level do not count.
 * `--list` prints each file with its functions.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

const world = await createWorld();
const worker = createHandler({
  ...world.services,
  policy: world.policy,
  clock: world.clock,
  installedAtMs: world.clock.now(),
  ownAppId: undefined,
  newId: () => 'an id',
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  observer: { ended: () => undefined, repeated: () => undefined },
});
await contact(world);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await world.portal.sandbox.deliverWebhooks();
const Records = world.queues.live.receive(5);
await worker({ Records }, { getRemainingTimeInMillis: () => 300_000 });
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
world.queues.live.remove(Records.map(({ messageId }) => messageId));

const [state] = await world.states();
if (state?.outcome?.kind !== 'enriched' || !(await isDrained(world)))
  throw new Error('The contact has not come to its end.');

const called = result
  .filter(({ url }) => /^file:.*\/(?:shared|functions)\//.test(url))
  .map(({ url, functions }) => ({
    path: fileURLToPath(url).slice(ROOT.length + 1),
    names: functions.flatMap(({ functionName, ranges }) =>
      functionName !== '' && ranges.some(({ count }) => count > 0) ? [functionName] : [],
    ),
  }))
  .filter(({ names }) => names.length > 0)
  .sort((one, other) => one.path.localeCompare(other.path));

if (values.list) for (const { path, names } of called) console.log(`${path}: ${names.join(', ')}`);
const functionCount = called.reduce((sum, { names }) => sum + names.length, 0);
console.log(`One contact: ${called.length} files and ${functionCount} functions of shared and functions.`);
