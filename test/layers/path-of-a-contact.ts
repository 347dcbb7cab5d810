import { parseArgs } from 'node:util';
import { type Entry, reportEntries } from './entries.ts';

/**
 * Prints how much code one new contact passes through: from HubSpot's webhook over the queue to what is written
 * back, with all other parts at rest and a worker that has started. Counted are the files of `shared` and `functions`
 * in which a named function was entered at least once, and those functions; a function without a name and a module's
 * top level do not count.
 *
 * The second line follows the worker from its handler through `shared/enrichment`, as a reader does who reads each
 * function when it is entered for the first time. A step goes into another file than the one of the function before. It
 * returns if that file has been entered before. A `return` to the caller is no step, nor is a function that was read.
 * `--list` prints each file with its functions; `--walk` prints the steps.
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

// The product is loaded only now, so that its functions report.
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
