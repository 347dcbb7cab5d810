import type { World } from '../../harness/world.ts';

/** Summarises a world, in lines that depend only on its plan. */
export async function summary(world: World): Promise<string[]> {
  const states = await world.states();
  const log = await world.ledger();
  const { byStatus, requests } = world.dataService.bill();
  const totals = log.at(-1)?.totals.lifetime;
  const outcomes = states.map(({ outcome, run }) => (run ? 'open' : (outcome?.kind ?? 'none')));
  return [
    `records ${states.length}: ${counts(outcomes)}`,
    `requests ${requests}: ${Object.entries(byStatus)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
    `credits: charged ${world.charged()}, posted ${totals?.posted ?? 0}, doubtful ${totals?.doubtful ?? 0}`,
    `ledger: ${log.length} entries (${counts(log.map(({ kind }) => kind))}), ends in ${log.at(-1)?.hash.slice(0, 16) ?? 'nothing'}`,
  ];
}

function counts(names: readonly string[]): string {
  const kinds = [...new Set(names)].sort();
  return kinds.map((kind) => `${kind} ${names.filter((name) => name === kind).length}`).join(', ');
}
