import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { type RecordState, recordKind } from '#shared/records';
import { replacing } from '#shared/store';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { connectStack } from '../../../infra/cli/connection/stack-connection.ts';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import { type Checklist, holds, PATIENCE_S, same } from './checklist.ts';
import { invoke, untilLogged } from './lambda.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';
import { contactIsEnriched } from './webhooks.ts';

/** A record must be a minute old for the sweep, which runs every minute. The rest covers the clock's own steps. */
const SWEEP_WITHIN_S = 150;
const REFRESH_WITHIN_S = 90;

/** Enriches a contact, and ages it by half a year. @returns the contact, if this succeeded */
export async function checkGrowingStale(checklist: Checklist, scene: Scene): Promise<RecordName | undefined> {
  let stale: RecordName | undefined;
  await checklist.check('a contact is enriched, and stale after half a year', async () => {
    const contact = await contactIsEnriched(scene, 6);
    const connection = await connectStack(STACK, { ...scene.workshop, clock: systemClock });
    try {
      const { records } = connection.services;
      const key = recordKind.key(contact);
      const stored = await records.read(key);
      holds(stored !== undefined, 'Nothing is known of the contact.');
      const value = { ...stored.value, staleAtMs: Date.now() - DAY_MS };
      holds(
        (await records.write({ key, value, ...replacing(stored) })) !== 'conflict',
        'Another writer was first.',
      );
    } finally {
      await connection.close();
    }
    stale = contact;
    return 'which is written into the store';
  });
  return stale;
}

/** Waits until both scheduled functions have done their work, on schedule or called by the test. */
export async function checkSchedules(
  checklist: Checklist,
  scene: Scene & {
    /** A contact without a webhook. */
    readonly unannounced: RecordName | undefined;
    readonly stale: RecordName | undefined;
  },
): Promise<void> {
  const { stack, unannounced, stale } = scene;
  await checklist.check('reconcile finds the contact that no webhook told of', async () => {
    holds(unannounced !== undefined, 'There is no such contact.');
    const { state, how } = await bySchedule(scene, {
      logicalId: /^SchedulesReconcile/,
      function: 'ReconcileFunction',
      ended: (withinS) => stack.ended(unannounced, { withinS }),
      withinS: SWEEP_WITHIN_S,
    });
    same('The outcome', state.outcome?.kind, 'enriched');
    await untilLogged(STACK, '"reconciled"', '"swept":1,');
    return how;
  });
  await checklist.check('refresh-stale has the stale contact looked at again', async () => {
    holds(stale !== undefined, 'There is no stale contact.');
    const { state, how } = await bySchedule(scene, {
      logicalId: /^SchedulesRefreshStale/,
      function: 'RefreshStaleFunction',
      ended: (withinS) => stack.ended(stale, { runs: 2, withinS }),
      withinS: REFRESH_WITHIN_S,
    });
    same('The number of runs', state.runsOpened, 2);
    await untilLogged(STACK, '"refresh-chosen"', '"count":1,');
    return how;
  });
}

interface Scheduled {
  readonly logicalId: RegExp;
  /** The stack's output with the function's name. */
  readonly function: string;
  readonly ended: (withinS: number) => Promise<RecordState>;
  readonly withinS: number;
}

/** Waits for EventBridge Scheduler. If it does not call, calls the function with the schedule's own payload. */
async function bySchedule(
  { stack }: Scene,
  scheduled: Scheduled,
): Promise<{ readonly state: RecordState; readonly how: string }> {
  const state = await scheduled.ended(scheduled.withinS).catch(() => undefined);
  if (state !== undefined) return { state, how: 'called by EventBridge Scheduler' };
  const input = scheduledInput(scheduled.logicalId);
  await invoke(await stack.output(scheduled.function), input);
  const how = `NOT called by EventBridge Scheduler; invoked with its payload ${JSON.stringify(input)}`;
  return { state: await scheduled.ended(PATIENCE_S), how };
}

/** Payload of the synthesised schedule. */
function scheduledInput(logicalId: RegExp): unknown {
  const template: { Resources: Record<string, { Properties?: { Target?: { Input?: string } } }> } =
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.out', `${STACK}.template.json`), 'utf8'));
  const found = Object.entries(template.Resources).find(([id]) => logicalId.test(id));
  const input = found?.[1].Properties?.Target?.Input;
  holds(input !== undefined, `The template has no schedule ${logicalId.source} with a payload.`);
  return JSON.parse(input);
}
