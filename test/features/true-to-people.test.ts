import { describe, expect, it } from 'vitest';
import { askerWords } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, contactsBy, someCompany, somePerson } from '../harness/people.ts';
import {
  liveOn,
  oldContact,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  worldWithContact,
} from '../harness/steps.ts';
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
    expect(again.progress?.reply).toMatchObject({
      kind: 'refused',
      code: 'answer-rejected-already',
      params: { by: 'user:7' },
    });
    const undone = await command(world, 'undo', `contacts/${record.id}`, '--yes');
    const last = { by: 'user:7', at: decided.outcome.at };
    expect(undone).toMatchObject({ code: 'nothing-to-undo', exit: 4, params: last });
    await settleDown(world);
    expect(await explained(world, record)).toEqual(decided);
  });
});

it('a resolved doubt is not resolved again, and its charge stays', async () => {
  const world = await createWorld();
  const record = await doubtful(world);
  await world.clock.sleep(15 * MINUTE_MS);
  await world.processes.reconcile();
  const [doubt] = (await explained(world, record)).doubts;
  const resolve = (end: string) =>
    command(world, 'doubts', 'resolve', doubt.questionKey, end, '--note', 'usage list');
  expect(await resolve('--charged')).toMatchObject({ resolved: true, credits: 3 });
  await settleDown(world);
  const [books, told] = [await world.ledger(), await explained(world, record)];
  expect(await resolve('--not-charged')).toMatchObject({ code: 'no-doubt', exit: 4 });
  expect([await world.ledger(), await explained(world, record)]).toEqual([books, told]);
});

describe('the total of a record is the sum of its rows', () => {
  /** The sums of the rows of the card and of `explain`, with their totals. */
  const sumsOf = async (world: World, record: RecordName) => {
    const { view } = await cardOf(world, record).show();
    const { runs, unlisted, creditsSpent } = await explained(world, record);
    const sum = (rows: readonly { readonly credits: number }[]) =>
      rows.reduce((total, { credits }) => total + credits, 0);
    return {
      card: [view.creditsSpent, sum(view.runs) + view.unlistedCredits],
      explain: [creditsSpent, sum(runs) + (unlisted?.credits ?? 0)],
    };
  };

  const KINDS = {
    match: { credits: 3, make: (world: World) => settledContact(world) },
    miss: {
      credits: 3,
      make: (world: World) => settledContact(world, 0, { hs_linkedin_url: NOBODY }),
    },
    doubt: { credits: 0, make: (world: World) => doubtful(world) },
    'booked doubt': {
      credits: 3,
      make: async (world: World) => {
        const record = await doubtful(world);
        await world.clock.sleep(15 * MINUTE_MS);
        await world.processes.reconcile();
        await command(world, 'doubts', 'resolve', '--all', '--charged', '--note', 'usage list', '--yes');
        return record;
      },
    },
    'booked doubt, then a match': {
      credits: 6,
      make: async (world: World) => {
        const record = await KINDS['booked doubt'].make(world);
        await liveOn(world, { forMs: HOUR_MS });
        await cardOf(world, record).ask({ id: 'enrich-again', kind: 'enrich', maxCredits: 3 });
        return record;
      },
    },
    refreshed: {
      credits: 4,
      make: async (world: World) => {
        const record = await settledContact(world);
        await refreshAfter(world, 181 * DAY_MS);
        return record;
      },
    },
    merged: {
      credits: 6,
      make: async (world: World) => {
        const [winner, loser] = [await settledContact(world), await settledContact(world, 1)];
        return settled(world, world.portal.merge(winner, loser));
      },
    },
    'without our values': {
      credits: 3,
      make: async (world: World) => {
        const record = await settledContact(world);
        await command(world, 'undo', `contacts/${record.id}`, '--yes');
        return record;
      },
    },
  } as const;

  it.each(Object.entries(KINDS))('%s', async (_, { credits, make }) => {
    const world = await createWorld();
    const record = await make(world);
    expect(await sumsOf(world, record)).toEqual({ card: [credits, credits], explain: [credits, credits] });
  });

  it('with the reason of a charge that a person booked for a doubt', async () => {
    const world = await createWorld();
    const record = await KINDS['booked doubt, then a match'].make(world);
    const { runs } = (await cardOf(world, record).show()).view;
    expect(runs).toMatchObject([
      { credits: 3, code: 'may-be-looked-up' },
      { credits: 3, code: 'matched' },
    ]);
  });
});

const NOBODY = 'https://www.linkedin.com/in/nobody-at-all';

async function doubtful(world: World): Promise<RecordName> {
  await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
  return settledContact(world);
}

describe('an outcome says what the last run did', () => {
  it('after several undos, and each undo is a run of the journal', async () => {
    const { world, record } = await worldWithContact();
    const label = { jobtitle: 'Job Title', city: 'City' };
    for (const property of ['jobtitle', 'city'] as const) {
      await command(world, 'undo', `contacts/${record.id}`, '--property', property, '--yes');
      const { outcome, unlisted } = await explained(world, record);
      expect(outcome).toMatchObject({ code: 'undone', params: { labels: [label[property]] } });
      expect(unlisted).toBeUndefined();
    }
    const undone = await command(world, 'undo', `contacts/${record.id}`, '--yes');
    const { outcome, runs } = await explained(world, record);
    expect(runs.at(-1)).toMatchObject({ kind: 'undo', askedBy: 'operator' });
    expect(outcome.params.labels).toHaveLength(undone.records[0].restored.length);
  });

  it('and a rejection that changes only statuses is a run of the journal', async () => {
    const world = await createWorld();
    const record = await settled(world, contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' }));
    await command(world, 'review', 'reject', `contacts/${record.id}/contradiction`);
    const { runs, runsOpened, unlisted, outcome } = await explained(world, record);
    expect([runs.length, unlisted, outcome.code]).toEqual([runsOpened, undefined, 'rejected-by-person']);
  });
});

describe('a quote promises the blanks that the lookup fills', () => {
  const quoted = async (world: World, record: RecordName) => {
    const id = `quote-${world.clock.now()}`;
    const { progress } = await cardOf(world, record).ask({ id, kind: 'quote' });
    const quote = progress?.reply?.kind === 'quoted' ? progress.reply.quote : undefined;
    return [...(quote?.fills ?? [])].sort();
  };

  /** Labels of the blanks that `enrich --dry-run` would fill. */
  const planned = async (world: World, record: RecordName) => {
    const { writes } = await command(world, 'enrich', `contacts/${record.id}`, '--dry-run');
    const definitions = await world.services.crm.definitions('contacts');
    const filled = writes.filter(({ now, mayBeWritten }: Planned) => mayBeWritten && !now);
    return filled.map(({ property }: Planned) => definitions.get(property)?.label).sort();
  };
  interface Planned {
    readonly property: string;
    readonly now: string | null;
    readonly mayBeWritten: boolean;
  }

  it.each([true, false])('before a purchase: phones bought %s', async (wantPhone) => {
    const { world, record } = await oldContact({ policy: { questions: { wantPhone } } });
    const fills = await quoted(world, record);
    expect(fills.includes('Mobile Phone Number')).toBe(wantPhone);
    expect(fills.filter((label) => /code/i.test(label))).toEqual(['Country/Region Code']);
    expect(new Set(fills).size).toBe(fills.length);
    const unfilled = (await planned(world, record)).filter((label: string) => !fills.includes(label));
    expect(unfilled).toEqual(['State/Region Code']);
  });

  it('after an undo, only what the stored answer fills', async () => {
    const { world, record } = await worldWithContact();
    await command(world, 'undo', `contacts/${record.id}`, '--yes');
    const before = await world.portal.properties(record);
    const fills = await quoted(world, record);
    expect(fills).toEqual(await planned(world, record));
    await cardOf(world, record).ask({ id: 'enrich-again', kind: 'enrich', maxCredits: 0 });
    const definitions = await world.services.crm.definitions('contacts');
    const after = await world.portal.properties(record);
    const targets = new Set(world.policy.fields.contacts.map(({ property }) => property));
    const filled = [...targets].filter((property) => after[property] && !before[property]);
    expect(fills).toEqual(filled.map((property) => definitions.get(property)?.label).sort());
  });
});

describe('the next check, the plan and the price of a record agree', () => {
  const facesOf = async (world: World, record: RecordName) => {
    const card = cardOf(world, record);
    const { view, progress } = await card.ask({ id: `quote-${world.clock.now()}`, kind: 'quote' });
    const { refresh } = await explained(world, record);
    const quote = progress?.reply?.kind === 'quoted' ? progress.reply.quote : undefined;
    const hubSpot = (await world.portal.properties(record))['enrichment_next_check_at'];
    return {
      isOffered: (quote?.questions.length ?? 0) > 0,
      card: view.nextCheckAtMs !== undefined && !quote?.isNeverDue,
      explain: refresh !== undefined,
      hubSpot: Boolean(hubSpot),
    };
  };
  const none = { isOffered: false, card: false, explain: false, hubSpot: false };

  it.each(['contradiction', 'job-change'] as const)('after a rejection of a %s', async (kind) => {
    const world = await createWorld();
    const given =
      kind === 'contradiction'
        ? { firstname: 'Xanthippe', lastname: 'Quux' }
        : { jobtitle: 'Chief of Everything', company: someCompany(world, 9).name };
    const record = await settled(world, contact(world, 0, given));
    const [finding] = (await explained(world, record)).review;
    expect(finding).toMatchObject({ kind });
    await command(world, 'review', 'reject', `contacts/${record.id}/${kind}`, '--wrong-match');
    expect(await facesOf(world, record)).toEqual(none);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(await facesOf(world, record)).toEqual(none);
    const charged = world.charged();
    await refreshAfter(world, 400 * DAY_MS);
    expect(world.charged()).toBe(charged);
  });

  it('after the last identifier is gone', async () => {
    const { world, record } = await worldWithContact();
    await command(world, 'undo', `contacts/${record.id}`, '--property', 'email', '--yes');
    await command(world, 'undo', `contacts/${record.id}`, '--property', 'website', '--yes');
    const changed = { hs_linkedin_url: '', enrichment_requested: 'true' };
    await settled(world, world.portal.edit(record, changed));
    expect((await world.state(record))?.outcome).toMatchObject({ reason: { code: 'no-identifier' } });
    expect(await facesOf(world, record)).toEqual(none);
  });

  it('after a wrong match, and after a later request', async () => {
    const { world, record } = await worldWithContact();
    const run = { recordId: record.id, number: 1 };
    await cardOf(world, record).ask({ id: 'wrong-match-1', kind: 'wrong-match', run });
    expect(await facesOf(world, record)).toEqual(none);
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(await facesOf(world, record)).toEqual(none);
  });
});

it('another employer is a move only from a known job; otherwise both sides are named', async () => {
  const { firstName, lastName, job } = somePerson(await createWorld());
  const [domain] = someCompany(await createWorld(), 9).domains;
  const email = `${firstName}.${lastName}@${domain}`.toLowerCase();
  const says = async (given: object) => {
    const world = await createWorld();
    const record = await settled(world, contact(world, 0, { email, ...given }));
    const card = cardOf(world, record);
    const [finding] = (await card.show()).view.findings;
    const wish = { finding: 'job-change', foundAtMs: finding?.foundAtMs ?? 0 } as const;
    const { progress } = await card.ask({ id: `preview-${record.id}`, kind: 'preview', ...wish });
    return progress?.reply?.kind === 'previewed' ? progress.reply.says : undefined;
  };
  const unknown = await says({});
  for (const part of [email, job.company.name, job.title]) expect(unknown).toContain(part);
  const known = await says({ company: 'Quux and Sons' });
  for (const part of ['Quux and Sons', job.company.name]) expect(known).toContain(part);
  expect(known).not.toContain(email);
});

describe('starting waiting records overrules only the reserve for leads', () => {
  const FILE = { by: { source: 'IMPORT' } };
  /** @returns a world whose import waits, with the records as they wait. */
  const waiting = async (budgets: object) => {
    const world = await createWorld({ policy: { budgets, questions: { wantEmail: false }, people: PEOPLE } });
    const records = await contactsBy(world, 6, FILE);
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: MINUTE_MS });
    return { world, records };
  };
  const PEOPLE = { approve: ['1001'] };
  const statesOf = (world: World, records: readonly RecordName[]) =>
    Promise.all(records.map((record) => world.state(record)));

  it.each(['terminal', 'home'] as const)('at the %s: another budget refuses by its name', async (where) => {
    const { world, records } = await waiting({ perDay: 100, purposes: { import: { perDay: 3 } } });
    const before = await statesOf(world, records);
    expect(before.filter((state) => state?.waiting)).toHaveLength(3);
    const refused =
      where === 'terminal'
        ? await command(world, 'queue', 'admit', '--purpose', 'import', '--yes')
        : await homeOf(world).decide({
            id: 'admit-them-1',
            kind: 'admit',
            purpose: 'import',
            maxCredits: 100,
          });
    expect(refused).toMatchObject({ code: 'budget', params: { budget: 'import/day' } });
    if (where === 'terminal') expect(refused).toMatchObject({ exit: 3 });
    expect(await statesOf(world, records)).toEqual(before);
  });

  it('and the reserve is used', async () => {
    const { world, records } = await waiting({ perDay: 6 });
    expect((await statesOf(world, records)).filter((state) => state?.waiting).length).toBeGreaterThan(0);
    await command(world, 'queue', 'admit', '--purpose', 'import', '--yes');
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await statesOf(world, records)).filter((state) => state?.waiting)).toHaveLength(0);
  });
});

it.each(['user:1001', 'operator'] as const)('a paused backfill names %s, who paused it', async (by) => {
  const world = await oldPortal(6, { policy: { people: { approve: ['1001'] } } });
  const id = await begun(operator(world), 'contacts');
  if (by === 'operator') await command(world, 'backfill', 'pause', id);
  else await homeOf(world).decide({ id: 'pause-it-1', kind: 'backfill', backfillId: id, move: 'pause' });
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  const [shown] = (await homeOf(world).show()).view?.backfills ?? [];
  expect(shown).toMatchObject({ state: 'paused', reason: expect.stringContaining(askerWords(by)) });
  expect(await command(world, 'backfill', 'status', id)).toMatchObject({ pause: { askedBy: by } });
});

it.each(['budget', 'stopped-by-person'] as const)(
  'a finished run says that it waited for: %s',
  async (reason) => {
    const isBudget = reason === 'budget';
    const world = await createWorld({ policy: { budgets: { perDay: isBudget ? 3 : 100 } } });
    if (isBudget) await settledContact(world);
    else await world.services.questions.breakers.stop({ reason: 'budget review' });
    const sinceMs = world.clock.now();
    const record = await settledContact(world, 1);
    await liveOn(world, { forMs: 13 * HOUR_MS, everyMs: 10 * MINUTE_MS });
    if (!isBudget) await world.services.questions.breakers.resume();
    await liveOn(world, { forMs: HOUR_MS, everyMs: 10 * MINUTE_MS });
    const { outcome } = await explained(world, record);
    expect(outcome).toMatchObject({ kind: 'enriched', stopWait: { reason } });
    const { since, until } = outcome.stopWait;
    expect(Math.abs(Date.parse(since) - sinceMs)).toBeLessThan(MINUTE_MS);
    expect(Date.parse(outcome.at) - Date.parse(until)).toBeLessThan(MINUTE_MS);
    expect(Date.parse(until) - Date.parse(since)).toBeGreaterThan(8 * HOUR_MS);
  },
);
