import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contact } from '../../harness/people.ts';
import { isDrained } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { workerOf } from './store-requests.ts';

/** The files of `shared` and `functions` that ran, each with the names of its called functions. */
export type ContactPath = ReadonlyMap<string, readonly string[]>;

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Enriches one new contact in the test world and returns what ran, from HubSpot's webhook to the written values. The
 * worker has started before, so start and imports do not count. Source: V8's precise coverage. Unnamed functions and
 * top-level code do not count.
 */
export async function runOneContact(): Promise<ContactPath> {
  const world = await createWorld();
  const worker = workerOf(world);
  await contact(world);

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await world.portal.sandbox.deliverWebhooks();
  await worker();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();

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
