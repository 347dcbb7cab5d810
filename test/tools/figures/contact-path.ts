import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of `shared` and `functions` that ran, each with the names of its called functions. */
export type ContactPath = ReadonlyMap<string, readonly string[]>;

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Enriches one new contact in the test world and returns what ran, from HubSpot's webhook to the written values. The
 * worker has started before, so start and imports do not count. Source: V8's precise coverage. Unnamed functions and
 * top-level code do not count.
 */
export async function runOneContact(): Promise<ContactPath> {
  const { createHandler } = await import('../../../functions/enrich-records/handler.ts');
  const { contact } = await import('../../harness/people.ts');
  const { isDrained } = await import('../../harness/steps.ts');
  const { createWorld } = await import('../../harness/world.ts');

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

  const ran = new Map<string, string[]>();
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? fileURLToPath(url).slice(ROOT.length + 1) : '';
    if (!/^(?:functions|shared)\/.*\.ts$/.test(file)) continue;
    const called = functions.filter(
      ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
    );
    if (called.length > 0)
      ran.set(
        file,
        called.map(({ functionName }) => functionName),
      );
  }
  return ran;
}
