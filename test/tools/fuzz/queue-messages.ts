import { type Random, seededRandom } from '#shared/kernel';
import { decodeMessage, type QueuedRecord } from '#shared/work-queue';
import { createWorld, type World } from '../../harness/world.ts';
import { chance, damagedBytes, damagedFields, junk, oneOf } from './damage.ts';
import type { FuzzReport } from './receiver.ts';

/** Of the messages that are damaged, so many that most batches hold a whole one. */
const DAMAGED = 0.9;
/** Ids of no record: what is whole leads to a reading of HubSpot and no further. */
const IDS = 50;

/**
 * Damaged messages against the worker, in a world with nothing in HubSpot: it never throws, hands back exactly the
 * messages that it cannot read, and spends nothing.
 */
export async function fuzzQueue({ seed, runs }: { seed: number; runs: number }): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const world = await createWorld({ seed });
  const counts = { whole: 0, damaged: 0, handedBack: 0 };
  const problems: string[] = [];
  feed(world, { random, runs, counts, problems });
  await world.processes.work({ workers: 1 });
  problems.push(...world.violations.slice(0, 10));
  if (world.charged() !== 0) problems.push(`spent ${world.charged()} credits`);
  return { counts, problems };
}

interface Feeding {
  readonly random: Random;
  readonly runs: number;
  readonly counts: { whole: number; damaged: number; handedBack: number };
  readonly problems: string[];
}

/** Puts the fuzz in the place of the live queue. */
function feed({ queues }: World, { random, runs, counts, problems }: Feeding): void {
  let made = 0;
  let handedOut: readonly QueuedRecord[] = [];
  queues.live.receive = (max) => {
    const size = Math.min(max, runs - made);
    handedOut = Array.from({ length: problems.length > 0 ? 0 : size }, () => {
      made += 1;
      return { messageId: `message-${made}`, body: fuzzedBody(random) };
    });
    return handedOut;
  };
  queues.live.remove = (messageIds) => {
    const settled = new Set(messageIds);
    for (const { messageId, body } of handedOut) {
      const isWhole = decodeMessage(body) !== undefined;
      counts[isWhole ? 'whole' : 'damaged'] += 1;
      if (!settled.has(messageId)) counts.handedBack += 1;
      if (isWhole !== settled.has(messageId)) problems.push(`${messageId}: ${body.slice(0, 200)}`);
    }
  };
}

function fuzzedBody(random: Random): string {
  const message = {
    version: 1,
    objectType: oneOf(random, ['contacts', 'companies']),
    id: String(1 + Math.floor(random() * IDS)),
    purpose: oneOf(random, ['live', 'manual', 'refresh', 'backfill']),
    eventKeys: Array.from({ length: Math.floor(random() * 3) }, () => `key-${Math.floor(random() * 1_000)}`),
    ...(chance(random, 0.2) && { gone: oneOf(random, ['deleted', 'forgotten']) }),
    ...(chance(random, 0.2) && { mergedIds: [String(1 + Math.floor(random() * IDS))] }),
  };
  if (!chance(random, DAMAGED)) return JSON.stringify(message);
  if (chance(random, 0.3)) return damagedBytes(random, Buffer.from(JSON.stringify(message))).toString('utf8');
  if (chance(random, 0.2)) return JSON.stringify(junk(random)) ?? '';
  return JSON.stringify(damagedFields(random, message));
}
