import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTRY_KINDS } from '#inside/credit-ledger/schemas.ts';
import { type LedgerEntry, ledgerEntrySchema } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { resealed, verify } from '../harness/ledger-logs.ts';
import { repeated } from '../harness/repeated.ts';
import { course, runCourse } from './ledger-runs.ts';

const settings = { seed: 20_261_119, numRuns: repeated(150) };

interface Damage {
  readonly path: Path;
  readonly log: readonly LedgerEntry[];
}

/** As the operator's command reads a log: each entry through the parser of the store, then the replay. */
async function problemsOf(log: readonly LedgerEntry[]): Promise<number> {
  const read = log.map((entry) => ledgerEntrySchema.safeParse(entry));
  if (read.some(({ success }) => !success)) return 1;
  return (await verify(log)).problems.length;
}

/** Damages one leaf of one entry of a random log. `isClaimed` leaves out those that a test makes no claim about. */
const forEveryDamage = async (
  isClaimed: (entry: LedgerEntry, path: Path) => boolean,
  check: (damage: Damage) => Promise<void>,
) => {
  let checked = 0;
  const pick = fc.nat({ max: 1_000_000 });
  const change = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: -99, max: -1 }));
  await fc.assert(
    fc.asyncProperty(course, pick, pick, change, async (given, entryPick, leafPick, by) => {
      const { log } = await runCourse(given);
      const index = entryPick % Math.max(1, log.length);
      const entry = log[index];
      const paths = entry ? leaves(entry).filter((path) => isClaimed(entry, path)) : [];
      const path = paths[leafPick % Math.max(1, paths.length)];
      if (!entry || !path) return;
      checked += 1;
      const worse = damaged(entry, path, by) as LedgerEntry;
      await check({ path, log: log.with(index, worse) });
    }),
    settings,
  );
  expect(checked).toBeGreaterThan(settings.numRuns / 2);
};

/** Texts that say what happened and not how the books stand: only the chain holds them. */
function isInTheBooks({ kind }: LedgerEntry, [field]: Path): boolean {
  if (field === undefined || ['account', 'atMs', 'reason', 'hash', 'previousHash'].includes(`${field}`))
    return false;
  if (kind === 'late') return field !== 'operation' && field !== 'questionKey' && field !== 'record';
  return field !== 'id' || (kind !== 'grant' && kind !== 'adjustment');
}

describe('one damaged field of one entry', () => {
  it('is always found', async () => {
    await forEveryDamage(
      () => true,
      async ({ path, log }) => {
        expect(await problemsOf(log), path.join('.')).toBeGreaterThan(0);
      },
    );
  });

  it('is found in the books also where all hashes were made anew to hide it', async () => {
    await forEveryDamage(isInTheBooks, async ({ path, log }) => {
      expect(await problemsOf(resealed(log)), path.join('.')).toBeGreaterThan(0);
    });
  });
});

type Path = readonly (string | number)[];

/** The places of all texts and numbers in a value. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

function damaged(value: unknown, path: Path, change: number): unknown {
  const [name, ...rest] = path;
  if (name !== undefined) {
    const copy = structuredClone(value) as Record<string, unknown>;
    copy[name] = damaged(copy[name], rest, change);
    return copy;
  }
  if (typeof value === 'number') return value + change;
  const words = [ENTRY_KINDS, PURPOSES].find((some: readonly unknown[]) => some.includes(value));
  return words ? otherOf(words, value, change) : `${value}${change}`;
}

/** One of the others, so that the parser does not find the damage before the books can. */
function otherOf(words: readonly string[], value: unknown, change: number): string | undefined {
  return words.filter((word) => word !== value).at(change % (words.length - 1));
}
