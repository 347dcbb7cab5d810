import type { Clock } from '../kernel/clock.ts';
import type { Forget } from '../questions/side-item.ts';
import { type ForgetRecordDeps, forgetRecord } from './forget-record.ts';
import { allKeys } from './identifiers.ts';
import { dropRecordLinks, readLinks } from './links.ts';
import { changeSideItem } from './side-items.ts';
import { type Purged, peopleStored, purgeQuestion, type StoredPeopleDeps } from './stored-people.ts';
import type { Tombstones } from './tombstones.ts';

export interface ForgetDeps extends StoredPeopleDeps {
  readonly tombstones: Tombstones;
  readonly clock: Clock;
  /**
   * Removes all that is held about one of our records but a tombstone, and tells which identifiers it knew. Safe to
   * repeat.
   * @param recordKey `contacts#123`
   */
  readonly forgetRecord: (recordKey: string) => Promise<readonly string[]>;
}

/** The whole of what forgetting needs, over the stores of the gateway and the records. */
export function createForgetting(deps: Omit<ForgetDeps, 'forgetRecord'> & ForgetRecordDeps): ForgetDeps {
  return { ...deps, forgetRecord: (recordKey) => forgetRecord(deps, recordKey) };
}

/** Counts only: what there was is gone. */
export interface Forgotten extends Purged {
  /** Keyed hashes that have a tombstone now, old ones included. */
  readonly identifiers: number;
  readonly records: number;
}

/**
 * Forgets somebody: from the identifiers that are known to all that our stores connect with them. Idempotent, and
 * safe to break off at any point: it is noted first, and `repeatForgets` goes through it once more after everybody
 * who may have been at work meanwhile is gone.
 * @param identifiers keyed hashes, of any kind: `allKeys(identifierKeys(...))` or those kept in a record's state.
 */
export async function forgetPerson(deps: ForgetDeps, identifiers: readonly string[]): Promise<Forgotten> {
  if (identifiers.length === 0) return { identifiers: 0, records: 0, answers: 0, entries: 0 };
  const atMs = deps.clock.now();
  await changeForgets(deps, bucketOf(identifiers), (due) => [
    ...due,
    { identifiers: [...identifiers], atMs },
  ]);
  return forgetNow(deps, identifiers);
}

/**
 * Goes through past forgettings once more: a worker may have stored an answer in the very moment, and died before
 * it looked at the tombstones.
 * @param graceMs the longest lifetime of a function.
 * @returns how many were gone through.
 */
export async function repeatForgets(deps: ForgetDeps, { graceMs }: { graceMs: number }): Promise<number> {
  const beforeMs = deps.clock.now() - graceMs;
  let repeated = 0;
  for (let nth = 0; nth < BUCKETS; nth += 1) {
    const stored = await deps.sideItems.read(`forgets#${nth}`);
    const due =
      stored?.value.kind === 'forgets' ? stored.value.due.filter(({ atMs }) => atMs <= beforeMs) : [];
    for (const { identifiers } of due) await forgetNow(deps, identifiers);
    if (due.length > 0) await changeForgets(deps, nth, (all) => all.filter(({ atMs }) => atMs > beforeMs));
    repeated += due.length;
  }
  return repeated;
}

/** A portal may delete thousands of contacts at once; one item would be too small to note them all. */
const BUCKETS = 16;

/**
 * Tombstones first, then a look at what is stored, until nothing more is learned; only then the purge. What an asker
 * stores before it can see the tombstones is there when we look; what it stores later, it removes itself.
 */
async function forgetNow(deps: ForgetDeps, identifiers: readonly string[]): Promise<Forgotten> {
  const known = new Set(identifiers);
  const records = new Set<string>();
  let questions = new Set<string>();
  for (let size = 0; size < known.size; ) {
    size = known.size;
    await deps.tombstones.add([...known]);
    questions = await lookAround(deps, { known, records });
  }
  const done = { answers: 0, entries: 0 };
  for (const question of questions) {
    const { answers, entries } = await purgeQuestion(deps, question, known);
    done.answers += answers;
    done.entries += entries;
  }
  for (const key of known) await dropRecordLinks(deps.sideItems, key);
  return { ...done, identifiers: known.size, records: records.size };
}

interface Circle {
  readonly known: Set<string>;
  readonly records: Set<string>;
}

/**
 * Adds what records and answers tell about the person, and returns the questions that tell of them. An answer teaches
 * more only where an address or a profile is the same: of two people with one name in one company, or with the
 * company's own phone, the other one is not to be followed.
 */
async function lookAround(deps: ForgetDeps, { known, records }: Circle): Promise<Set<string>> {
  const questions = new Set<string>();
  for (const key of known) {
    for (const record of await readLinks(deps.sideItems, 'records', key)) {
      if (records.has(record)) continue;
      for (const learned of await deps.forgetRecord(record)) known.add(learned);
      records.add(record);
    }
    for (const question of [key, ...(await readLinks(deps.sideItems, 'questions', key))]) {
      if (questions.has(question)) continue;
      questions.add(question);
      for (const person of await peopleStored(deps, question)) {
        if (!person.sure.some((each) => known.has(each))) continue;
        for (const learned of allKeys(person)) known.add(learned);
      }
    }
  }
  return questions;
}

function changeForgets(
  { sideItems }: ForgetDeps,
  bucket: number,
  change: (due: readonly Forget[]) => readonly Forget[],
): Promise<void> {
  return changeSideItem(sideItems, `forgets#${bucket}`, (item) => ({
    kind: 'forgets',
    due: change(item?.kind === 'forgets' ? item.due : []),
  }));
}

function bucketOf([first = '0']: readonly string[]): number {
  const number = Number.parseInt(first.slice(0, 1), 16);
  return Number.isNaN(number) ? 0 : number;
}
