import { expect, it } from 'vitest';
import { isRunHalted, type RecordClaim, splitHalted } from '#inside/enrichment/services.ts';
import { backfillExtension, backfillKind, newBackfill, stopped } from '#shared/extensions/backfill';
import { newRecordState, type Run } from '#shared/records';
import { type OpenItems, openItems, replacing } from '#shared/store';
import { openMemoryStore } from '../../../../harness/memory-items.ts';

const SCOPE = { objectType: 'contacts', words: 'all of them', where: [] } as const;

function held(backfillId: string, run: Partial<Run> = {}): RecordClaim {
  const state = { ...newRecordState('contacts', '1'), backfills: [{ id: backfillId, runId: 'run' }] };
  const whole = { id: 'run', purpose: 'backfill', credits: 0, ...run };
  return { objectType: 'contacts', id: '1', state, run: whole } as RecordClaim;
}

async function withBackfill() {
  const store = openMemoryStore();
  const open: OpenItems = (kind) => openItems({ store }, kind);
  const backfills = open(backfillKind);
  const key = backfillKind.key('b');
  const value = newBackfill('b', { scope: SCOPE, trialSize: { trial: 20, trialPerStratum: 5 }, nowMs: 0 });
  await backfills.write({ key, value, expectedVersion: undefined });
  const stop = async () => {
    const next = stopped(value, 1);
    if (!next) throw new Error('It cannot be stopped.');
    await backfills.write({ key, value: next, ...replacing(await backfills.read(key)) });
  };
  return { services: { extensions: [backfillExtension({ open })] }, stop };
}

it('a request for a record of a backfill is not wanted where the backfill is missing', async () => {
  const { services } = await withBackfill();
  expect(await isRunHalted(services, held('missing'))).toBe(true);
});

it('ends the runs of a stopped backfill, except a run that has its answer or another purpose', async () => {
  const { services, stop } = await withBackfill();
  const open = held('b');
  const others = [held('b', { answeredQuestion: 'q' }), held('b', { purpose: 'live' })];
  expect(await splitHalted(services, [open, ...others])).toEqual({ halted: [], others: [open, ...others] });
  await stop();
  expect(await splitHalted(services, [open, ...others])).toEqual({
    halted: [{ claim: open, reason: { code: 'backfill-halted' } }],
    others,
  });
});
