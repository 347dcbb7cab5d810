import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { settleDown, settled, worldWithContact } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Runs a command. @returns its JSON, or its error's code with the exit code. */
async function command(world: World, ...argv: readonly string[]) {
  let refused: { readonly code: string; readonly exit: number; readonly params?: unknown } | undefined;
  const console = openConsole(world, {}, ({ code, exit, params }) => {
    refused = { code, exit, params };
  });
  const printed = await console(...argv, '--json');
  return printed === undefined ? refused : JSON.parse(printed);
}

const explained = (world: World, { objectType, id }: RecordName) =>
  command(world, 'explain', `${objectType}/${id}`);

describe('a decided item is not decided again', () => {
  const mistaken = async () => {
    const world = await createWorld();
    const record = await settled(world, contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' }));
    const { findings } = (await cardOf(world, record).show()).view;
    const finding = { finding: 'contradiction', foundAtMs: findings[0]?.foundAtMs ?? 0 } as const;
    return { world, record, finding, id: `contacts/${record.id}/contradiction` };
  };

  it.each(['reject', 'accept'] as const)('by review %s, nor on the card', async (way) => {
    const { world, record, finding, id } = await mistaken();
    await cardOf(world, record, '7').ask({ id: 'reject-by-7', kind: 'reject', ...finding });
    const decided = await explained(world, record);
    expect(decided.review).toMatchObject([{ state: 'rejected', decidedBy: 'user:7' }]);
    const decision = { state: 'rejected', by: 'user:7', at: decided.review[0].decidedAt };
    await world.clock.sleep(HOUR_MS);
    const yes = way === 'accept' ? ['--yes'] : [];
    expect(await command(world, 'review', way, id, ...yes)).toMatchObject({
      code: 'not-open',
      exit: 4,
      params: decision,
    });
    const { progress } = await cardOf(world, record, '1001').ask({
      id: 'decide-again',
      kind: way,
      ...finding,
    });
    expect(progress?.reply).toMatchObject({
      kind: 'refused',
      code: 'finding-decided',
      params: { by: 'user:7' },
    });
    expect(await explained(world, record)).toEqual(decided);
  });

  it('but an interrupted rejection is carried out, under the name of its decider', async () => {
    const { world, record, id } = await mistaken();
    await world.services.reviews.decide(record, 'contradiction', 'rejected', 'user:7');
    await world.clock.sleep(HOUR_MS);
    expect(await command(world, 'review', 'reject', id)).toMatchObject({ state: 'rejected' });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'unmatched' });
    expect((await explained(world, record)).review).toMatchObject([{ decidedBy: 'user:7' }]);
    expect(await command(world, 'review', 'reject', id)).toMatchObject({ code: 'not-open' });
  });

  it('nor is a wrong match reported twice, nor an undone value undone', async () => {
    const { world, record } = await worldWithContact();
    const run = { recordId: record.id, number: 1 };
    const card = cardOf(world, record, '7');
    await card.ask({ id: 'wrong-match-1', kind: 'wrong-match', run });
    const decided = await explained(world, record);
    await world.clock.sleep(HOUR_MS);
    const again = await card.ask({ id: 'wrong-match-2', kind: 'wrong-match', run });
    expect(again.progress?.reply).toMatchObject({ kind: 'refused', code: 'answer-rejected-already' });
    const undone = await command(world, 'undo', `contacts/${record.id}`, '--yes');
    expect(undone).toMatchObject({ code: 'nothing-to-undo', exit: 4 });
    await settleDown(world);
    expect(await explained(world, record)).toEqual(decided);
  });
});
