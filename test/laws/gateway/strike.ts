import { type Accident, haveAccident } from './crash.ts';
import type { Fate } from './stage.ts';

type Aftermath = Pick<Accident, 'resolve' | 'thaw'>;

/** What follows: first without, then with a doubt that somebody resolves, if there is one to resolve. */
const AFTERMATHS: Readonly<Record<Fate['kind'], readonly (readonly Aftermath[])[]>> = {
  killed: [[{ resolve: 'not', thaw: 'never' }, ...resolved('never')]],
  failed: [[{ resolve: 'not', thaw: 'never' }, ...resolved('never')]],
  frozen: [
    ...(['beside-the-second', 'a-little-later', 'as-a-doubt'] as const).map((thaw) => [
      { resolve: 'not', thaw } as const,
    ]),
    resolved('as-resolved'),
    resolved('after-the-next'),
  ],
};

function resolved(thaw: Aftermath['thaw']): readonly Aftermath[] {
  return [
    { resolve: 'charged', thaw },
    { resolve: 'not-charged', thaw },
  ];
}

interface Struck {
  readonly struck: ReadonlySet<string>;
  readonly problems: readonly string[];
}

export interface Wish extends Pick<Accident, 'reply' | 'question' | 'wider' | 'company' | 'openStore'> {
  /** Of all strikes only every so many, where they take their time. */
  readonly every?: number;
}

/** Strikes at the first call, the second, ... before and after each, until the asker ends unharmed. */
export async function strikeEverywhere({ every = 1, ...wish }: Wish): Promise<Struck> {
  const struck = new Set<string>();
  const problems: string[] = [];
  let nth = 0;
  for (const fate of fates()) {
    nth += 1;
    if (nth % every !== 0) continue;
    const aftermaths = await strike(wish, fate);
    // What is no store's does not fail: only who is not even killed there has come to the end.
    if (aftermaths.length === 0 && fate.kind !== 'failed') break;
    for (const aftermath of aftermaths) {
      struck.add(aftermath.hitAt);
      problems.push(...aftermath.problems);
    }
  }
  return { struck, problems };
}

function* fates(): Generator<Fate> {
  for (let at = 1; ; at += 1)
    for (const when of ['before', 'after'] as const)
      for (const kind of ['killed', 'frozen', 'failed'] as const) yield { at, when, kind };
}

async function strike(wish: Wish, fate: Fate): Promise<{ hitAt: string; problems: string[] }[]> {
  const ends: { hitAt: string; problems: string[] }[] = [];
  for (const alternatives of AFTERMATHS[fate.kind]) {
    for (const aftermath of alternatives) {
      const { hitAt, hadDoubt, problems } = await haveAccident({ ...wish, ...aftermath, fate });
      if (hitAt === undefined) return ends;
      const told = `${hitAt}, resolved as ${aftermath.resolve}, thawed ${aftermath.thaw}`;
      ends.push({ hitAt, problems: problems.map((problem) => `${told}: ${problem}`) });
      if (!hadDoubt) break;
    }
  }
  return ends;
}
