import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { allKeys, forgetPerson, rememberRecordIdentifiers, repeatForgets } from '#shared/questions';
import { newRecordState } from '#shared/records';
import { found } from '../questions/asking.ts';
import { noise } from '../questions/noise.ts';
import { answerTo, factsOf, human, keysOf, personRecord, questionsAbout, tracesOf } from './people.ts';
import { openShelf } from './shelf.ts';

const WHO = human(0);
const OTHERS = [human(1), human(2)];
const WAYS = Object.keys(questionsAbout(WHO)) as (keyof ReturnType<typeof questionsAbout>)[];

/** Everything that can be asked about somebody is asked, and stored. */
async function openFull(ways = WAYS) {
  const answers = ways.map((way) => found(answerTo(way, WHO, OTHERS), 3));
  const shelf = openShelf(answers);
  const questions = questionsAbout(WHO);
  for (const way of ways) await shelf.ask(questions[way]);
  const forget = (identifiers: readonly string[]) => forgetPerson(shelf.forgetting, identifiers);
  return { ...shelf, questions, forget };
}

describe('forgetting somebody', () => {
  it('by an email removes every trace in every answer, and nothing of the others', async () => {
    const { forget, foundOf } = await openFull();
    const others = OTHERS.flatMap((other) => [other.email, other.slug]);
    expect(foundOf(tracesOf(WHO))).toEqual(tracesOf(WHO));
    const kept = foundOf(others);
    expect(await forget(keysOf({ emails: [WHO.email] }).sure)).toMatchObject({ answers: 5, entries: 3 });
    expect(foundOf(tracesOf(WHO))).toEqual([]);
    expect(foundOf(others)).toEqual(kept);
  });

  it('begins with the address of a profile too, which belongs to one person', async () => {
    const { forget, foundOf } = await openFull();
    await forget(allKeys(keysOf({ profileUrls: [WHO.url] })));
    expect(foundOf(tracesOf(WHO))).toEqual([]);
  });

  it('may be repeated: nothing more is found, and nothing comes back', async () => {
    const { forget, foundOf } = await openFull();
    await forget(keysOf({ emails: [WHO.email] }).sure);
    expect(await forget(keysOf({ emails: [WHO.email] }).sure)).toMatchObject({ answers: 0, entries: 0 });
    expect(foundOf(tracesOf(WHO))).toEqual([]);
  });

  it('does not follow a shared phone or an equal name to somebody else', async () => {
    const namesake = { ...human(6), phone: WHO.phone };
    const record = personRecord(namesake, ['email', 'phone']);
    const shelf = openShelf([found(record)]);
    await shelf.ask(questionsAbout(namesake).url);
    const forgotten = await forgetPerson(shelf.forgetting, allKeys(keysOf(factsOf(WHO))));
    expect(forgotten.identifiers).toBe(allKeys(keysOf(factsOf(WHO))).length);
    expect(shelf.foundOf([namesake.email])).toEqual([namesake.email]);
  });

  it('keeps fence and asking, and leaves an asking that is open to its end', async () => {
    const { forget, item, questions, kinds } = await openFull(['url']);
    const before = await item(questions.url);
    await forget(keysOf({ emails: [WHO.email] }).sure);
    const after = await item(questions.url);
    expect([after?.fencingToken, after?.attempt]).toEqual([before?.fencingToken, before?.attempt]);
    expect(after?.answer).toMatchObject({ kind: 'forgotten' });
    expect(after?.answer).not.toHaveProperty('packed');
    expect(await kinds()).toEqual(['pending 6', 'posted 6']);
  });

  it('takes somebody out of a cut answer, which stays marked as cut', async () => {
    const record = {
      data: [WHO, ...OTHERS].map((one, nth) => ({ ...personRecord(one), padding: noise(100_000, nth) })),
    };
    const shelf = openShelf([found(record, 3)]);
    const { search } = questionsAbout(WHO);
    await shelf.ask(search);
    expect(shelf.foundOf(tracesOf(WHO))).not.toEqual([]);
    await forgetPerson(shelf.forgetting, allKeys(keysOf(factsOf(WHO))));
    expect(shelf.foundOf(tracesOf(WHO))).toEqual([]);
    expect(await shelf.ask(search)).toMatchObject({ kind: 'found', credits: 0, isCut: true });
  });
});

describe('who is forgotten', () => {
  it.each(['url', 'email', 'phone', 'name'] as const)(
    'is not asked about by %s: no credit is spent',
    async (way) => {
      const { forget, ask, questions, calls, kinds } = await openFull(['url']);
      await forget(keysOf({ emails: [WHO.email] }).sure);
      const before = calls.length;
      expect(await ask({ ...questions[way], options: [] })).toMatchObject({ kind: 'forgotten', credits: 0 });
      expect(calls).toHaveLength(before);
      expect(await kinds()).toEqual(['pending 6', 'posted 6']);
    },
  );

  it('is thrown away where a question did not tell who it is about, and that is paid for once', async () => {
    const shelf = openShelf([found(answerTo('title', WHO, OTHERS))]);
    await forgetPerson(shelf.forgetting, allKeys(keysOf(factsOf(WHO))));
    const { title } = questionsAbout(WHO);
    expect(await shelf.ask(title)).toMatchObject({ kind: 'forgotten', credits: 1 });
    expect(await shelf.ask(title)).toMatchObject({ kind: 'forgotten', credits: 0 });
    expect(shelf.foundOf(tracesOf(WHO))).toEqual([]);
    expect(await shelf.kinds()).toEqual(['pending 1', 'posted 1']);
  });

  it.each(['company', 'search', 'employees'] as const)('is left out of a later %s', async (way) => {
    const shelf = openShelf([found(answerTo(way, WHO, OTHERS), 3)]);
    await forgetPerson(shelf.forgetting, allKeys(keysOf(factsOf(WHO))));
    const result = await shelf.ask(questionsAbout(WHO)[way]);
    expect(result.kind).toBe('found');
    expect(JSON.stringify(result).toLowerCase()).not.toContain(WHO.last.toLowerCase());
    expect(JSON.stringify(result)).toContain(human(1).last);
    expect(shelf.foundOf(tracesOf(WHO))).toEqual([]);
  });
});

describe('the records of somebody', () => {
  const state = (id: string, identifiers: readonly string[]) => ({
    ...newRecordState('contacts', id),
    runsOpened: 2,
    outcomes: { enriched: 1, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 },
    run: { id: 'r', purpose: 'live' as const, openedAtMs: 0, credits: 3 },
    claim: { owner: 'w', untilMs: 1 },
    ownership: { jobtitle: { written: ['hash'] } },
    identifiers,
  });

  it('are found, emptied but for their counts, and lead to what else is known', async () => {
    const { forget, forgetting, records, purged, foundOf } = await openFull(['url']);
    const keys = keysOf({ emails: ['zoe.at.home@gmail.com'], profileUrls: [WHO.url] });
    await rememberRecordIdentifiers(forgetting, 'contacts#7', keys);
    await records.write({ key: 'contacts#7', value: state('7', allKeys(keys)), expectedVersion: undefined });
    const forgotten = await forget(keysOf({ emails: ['zoe.at.home@gmail.com'] }).sure);
    expect(forgotten).toMatchObject({ records: [expect.any(String)], answers: 1 });
    expect(foundOf(tracesOf(WHO))).toEqual([]);
    expect(purged).toContain('contacts#7 2');
    const left = (await records.read('contacts#7'))?.value;
    expect(left).toMatchObject({
      runsOpened: 2,
      outcomes: { enriched: 1, skipped: 1 },
      creditsSpent: 3,
      ownership: {},
    });
    expect(left).toMatchObject({ forgottenAtMs: expect.any(Number), outcome: { kind: 'skipped' } });
    expect([left?.run, left?.claim]).toEqual([undefined, undefined]);
  });

  it('are forgotten with those that were merged with them', async () => {
    const { forgetting, records, purged } = openShelf();
    await records.write({
      key: 'contacts#1',
      value: { ...state('1', ['aa']), mergedInto: '2' },
      expectedVersion: undefined,
    });
    await records.write({
      key: 'contacts#2',
      value: { ...state('2', ['bb']), mergedFrom: ['1'] },
      expectedVersion: undefined,
    });
    expect([...(await forgetting.forgetRecord('contacts#2'))].sort()).toEqual(['aa', 'bb']);
    expect(purged.sort()).toEqual(['contacts#1 2', 'contacts#2 2']);
  });
});

it('a forgetting is gone through once more when nobody from before it can be at work any more, and then no more', async () => {
  const { forget, forgetting, clock } = await openFull(['url']);
  await forget(keysOf({ emails: [WHO.email] }).sure);
  const grace = { graceMs: 5 * MINUTE_MS };
  expect(await repeatForgets(forgetting, grace)).toBe(0);
  await clock.sleep(5 * MINUTE_MS);
  expect(await repeatForgets(forgetting, grace)).toBe(1);
  expect(await repeatForgets(forgetting, grace)).toBe(0);
});
