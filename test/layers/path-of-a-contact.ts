import { parseArgs } from 'node:util';
import { type Entry, reportEntries } from './entries.ts';

/**
 * Prints the amount of code that one new contact passes through: from HubSpot's webhook over the queue to the written
 * values. All other parts are idle, and the worker has started. It counts the files of `shared` and `functions` with at
 * least one called named function, and those functions. Unnamed functions and top-level code do not count.
 * The second line follows the worker from its handler through `shared/enrichment`, like a reader who reads each
 * function at its first call. A step goes to another file than that of the previous function. It counts as a return if
 * that file was read before. A `return` to the caller and a repeated call are no steps. `--list` prints each file with
 * its functions; `--walk` prints the steps.
 */
const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, walk: { type: 'boolean', default: false } },
});

const entries = new Map<string, Entry>();
let isCounting = false;
reportEntries((entry) => {
  const key = `${entry.file} ${entry.offset}`;
  if (isCounting && !entries.has(key)) entries.set(key, entry);
});

// Loads the product only now, so that its functions report their calls.
const { createHandler } = await import('../../functions/enrich-records/handler.ts');
const { contact } = await import('../builders/people.ts');
const { isDrained } = await import('../builders/steps.ts');
const { createWorld } = await import('../builders/world.ts');

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

isCounting = true;
await world.portal.sandbox.deliverWebhooks();
const Records = world.queues.live.receive(5);
const begun = entries.size;
await worker({ Records }, { getRemainingTimeInMillis: () => 300_000 });
isCounting = false;
world.queues.live.remove(Records.map(({ messageId }) => messageId));

const [state] = await world.states();
if (state?.outcome?.kind !== 'enriched' || !(await isDrained(world)))
  throw new Error('The contact has not come to its end.');

const all = [...entries.values()];
const byFile = Map.groupBy(all, ({ file }) => file);
if (values.list)
  for (const [file, own] of [...byFile].sort(([one], [other]) => one.localeCompare(other)))
    console.log(`${file}: ${own.map(({ name }) => name).join(', ')}`);
console.log(`One contact: ${byFile.size} files and ${all.length} functions of shared and functions.`);

const walk = all.slice(begun).filter(({ file }) => /^(?:functions|shared\/enrichment)\//.test(file));
const steps = walk.filter(({ file }, index) => file !== walk[index - 1]?.file);
const files = new Set(steps.map(({ file }) => file));
if (values.walk) for (const { file, name } of steps) console.log(`${file}: ${name}`);
console.log(`Walk: ${steps.length} steps from file to file, ${steps.length - files.size} of them returns.`);
