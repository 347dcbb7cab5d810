import { Button, Checkbox, Icon, StatisticsItem } from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { BUTTONS, NOTES } from '../../../../infra/hubspot-app/src/app/cards/words.ts';
import type { HomeData, ReviewItem } from '../../../../infra/hubspot-app/src/app/pages/home-service.ts';
import {
  PAGE_BUTTONS,
  PAGE_NOTES,
  shareWords,
  whenWords,
} from '../../../../infra/hubspot-app/src/app/pages/home-words.ts';
import { registerTsx } from '../../../harness/tsx.ts';

registerTsx();
const { AppPages } = await import('../../../../infra/hubspot-app/src/app/pages/app-pages.tsx');

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'self');
});

const DATA: HomeData = {
  atMs: 0,
  timeZone: 'UTC',
  needs: [],
  waiting: [],
  activity: [],
  backfills: [],
  claims: [],
  policy: {
    version: 'draft',
    all: { records: 0, filledFields: 0, credits: 0 },
    rules: [],
    fields: [],
  },
  review: { items: [], isMore: false, toDo: '' },
  spend: {
    todayCredits: 0,
    monthCredits: 1_234,
    pendingCredits: 0,
    doubtfulCredits: 0,
    forecastCredits: 0,
    budgets: [],
  },
};

it('tells a failed look from an empty page, and keeps the last known state', async () => {
  let answer = async (): Promise<Response> => Promise.reject(new Error('ECONNREFUSED'));
  Object.assign(globalThis, { self: { hsFetch: () => answer() } });
  const renderer = createRenderer('pages');
  renderer.render(createElement(AppPages));
  const sees = (text: string) =>
    renderer.waitFor(() => expect(renderer.getRootNode().toString()).toContain(text));
  const press = (label: string) => renderer.find(Button, ({ text }) => text === label).trigger('onClick');
  const down = answer;
  await sees('ECONNREFUSED');
  answer = async () => new Response('{}');
  press(BUTTONS.retry);
  await sees(PAGE_NOTES.nothingKnown);
  answer = async () => new Response(JSON.stringify({ view: DATA }));
  press(BUTTONS.look);
  await sees(PAGE_NOTES.nothingToDecide);
  expect(renderer.find(StatisticsItem).props.number).toBe('1,234');
  answer = down;
  press(PAGE_BUTTONS.refresh);
  await sees('ECONNREFUSED');
  expect(renderer.find(StatisticsItem).props.number).toBe('1,234');
});

const PACE = { pollMs: 100, polls: 200 };

/** The page with these data, drawn. */
async function drawn(more: Partial<HomeData>) {
  const text = JSON.stringify({ view: { ...DATA, ...more } });
  Object.assign(globalThis, { self: { hsFetch: async () => new Response(text) } });
  const renderer = createRenderer('pages');
  const copied: string[] = [];
  renderer.render(createElement(AppPages, { onCopy: (text) => void copied.push(text), pace: PACE }));
  await renderer.waitFor(() =>
    expect(renderer.getRootNode().toString()).toContain(PAGE_NOTES.timeZone('UTC')),
  );
  const labels = () => renderer.findAll(Button).map((button) => button.text ?? '');
  const press = (label: string) => renderer.find(Button, ({ text }) => text === label).trigger('onClick');
  return { renderer, text: () => renderer.getRootNode().toString(), labels, press, copied };
}

const RECORD_ID = '546500001158';

it('names what a decision of an unknown outcome books, and shows no record id', async () => {
  const doubt = { questionKey: 'key', reservationId: 'key:1' };
  const row = { kind: 'doubt', what: 'No answer.', otherwise: 'It counts.', toDo: 'Compare.' } as const;
  const need = { ...row, doubt, credits: 3, record: `contacts#${RECORD_ID}` };
  const { labels, text } = await drawn({ needs: [need] });
  expect(labels()).toEqual(expect.arrayContaining([PAGE_BUTTONS.charged(3), PAGE_BUTTONS.notCharged]));
  expect(text()).not.toMatch(new RegExp(`>[^<]*${RECORD_ID}`));
});

it('lets nobody decide while an answer may still come', async () => {
  const row = { kind: 'doubt', what: 'No answer.', otherwise: 'It counts.', toDo: 'Compare.' } as const;
  const { labels, text } = await drawn({ needs: [{ ...row, credits: 3, fromMs: 14.75 * HOUR_MS }] });
  expect(text()).toContain(PAGE_NOTES.tooEarly('1 Jan, 14:45'));
  expect(labels()).not.toContain(PAGE_BUTTONS.charged(3));
});

it('leaves a decided row for some seconds, also if new figures do not list it, then hides it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
  try {
    const stop = {
      kind: 'past-stop',
      code: 'budget-used-up',
      day: '1970-01-01',
      toMs: 1,
      leads: 2,
      waited: [],
    } as const;
    const need = { ...stop, what: '2 leads waited 8 hours on 1 Jan.', otherwise: '' };
    const { renderer, text, press } = await drawn({ needs: [need] });
    const reply = { kind: 'decided', what: 'Done with it.' };
    const view = { ...DATA, timeZone: 'Europe/Paris' };
    const answers = (answer: object) => {
      const hsFetch = async () => new Response(JSON.stringify(answer));
      Object.assign(globalThis, { self: { hsFetch } });
    };
    answers({ view });
    press(PAGE_BUTTONS.markSeen);
    await vi.advanceTimersByTimeAsync(8_000);
    await renderer.waitFor(() => expect(text()).toContain(view.timeZone));
    expect(text()).toContain(need.what);
    answers({ view, reply });
    await renderer.waitFor(() => expect(text()).toContain(reply.what));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(text()).toContain(reply.what);
    await vi.advanceTimersByTimeAsync(2_500);
    await renderer.waitFor(() => expect(text()).not.toContain(need.what));
    expect(text()).toContain(PAGE_NOTES.nothingToDecide);
  } finally {
    vi.useRealTimers();
  }
});

it('offers to look a booked record up again, at its price, until a person closes the row', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
  try {
    const doubt = { questionKey: 'key', reservationId: 'key:1' };
    const row = { kind: 'doubt', what: 'No answer.', otherwise: 'It counts.', toDo: 'Compare.' } as const;
    const need = { ...row, doubt, credits: 3, record: `contacts#${RECORD_ID}` };
    const { renderer, text, press, labels } = await drawn({ needs: [need] });
    expect(labels()).not.toContain(PAGE_BUTTONS.lookUpAgain(3));
    const sent: unknown[] = [];
    const hsFetch = async (url: string, { body }: { readonly body?: object }) => {
      if (body && url.includes('/records/')) sent.push(body);
      return new Response(JSON.stringify({ view: DATA, reply: { kind: 'decided', what: 'Booked.' } }));
    };
    Object.assign(globalThis, { self: { hsFetch } });
    press(PAGE_BUTTONS.charged(3));
    await renderer.waitFor(() => expect(text()).toContain('Booked.'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(sent).toEqual([]);
    press(PAGE_BUTTONS.lookUpAgain(3));
    await renderer.waitFor(() => expect(sent).toMatchObject([{ kind: 'enrich', maxCredits: 3 }]));
    press(BUTTONS.close);
    await renderer.waitFor(() => expect(text()).not.toContain(need.what));
  } finally {
    vi.useRealTimers();
  }
});

it('has one button that resumes spending', async () => {
  const stop = { kind: 'stop', code: 'stopped-by-person', toDo: 'Resume it.' } as const;
  const { text } = await drawn({ needs: [{ ...stop, what: 'Stopped.', otherwise: 'They wait.' }] });
  expect(text().split(PAGE_BUTTONS.resumeAll)).toHaveLength(2);
  expect(text()).not.toContain(PAGE_BUTTONS.stopAll);
});

it('copies no column of request ids if the vendor gave none', async () => {
  const claim = { atMs: 0, operation: 'personProfile', credits: 3, questionKey: 'key-1' };
  const { press, copied } = await drawn({ claims: [{ ...claim, record: `contacts#${RECORD_ID}` }] });
  press(PAGE_BUTTONS.copyClaims);
  const [heads, line] = copied[0]?.split('\n') ?? [];
  expect([heads?.split(',').length, line?.split(',').at(-1)]).toEqual([5, '"3"']);
});

it('copies the claims with names, and with no text that a spreadsheet would run', async () => {
  const claim = {
    atMs: 0,
    operation: 'personProfile',
    credits: 3,
    questionKey: 'key-1',
    requestId: '=SUM(1)',
  };
  const record = `contacts#${RECORD_ID}`;
  const { labels, press, copied, text } = await drawn({ claims: [{ ...claim, record }] });
  expect(text()).toContain(PAGE_NOTES.claims(1, 3));
  expect(labels()).toContain(PAGE_BUTTONS.copyClaims);
  press(PAGE_BUTTONS.copyClaims);
  const [, line] = copied[0]?.split('\n') ?? [];
  expect(line?.split(',')).toEqual([
    '"A contact"',
    '"1970-01-01T00:00:00.000Z"',
    '"Person profile"',
    expect.any(String),
    '"3"',
    `"'=SUM(1)"`,
  ]);
  expect(copied[0]).not.toContain(RECORD_ID);
});

const SAYS = 'HubSpot: Xanthippe Quux. The answer: Katie Harrow, Borealis.';

/** The page with one opened finding, whose values are read. */
async function opened(kind: ReviewItem['kind'], more: object = {}) {
  const row = { objectType: 'contacts', id: RECORD_ID, kind, reason: 'other', others: [] } as const;
  const review = { items: [{ ...row, hasAnswer: true, sinceMs: 1 }], isMore: false, toDo: '' };
  const screen = await drawn({ review });
  const changes = [
    { property: 'city', label: 'City', now: null, proposed: 'Oslo' },
    { property: 'email', label: 'Email', now: null, proposed: 'katie@borealis.example', isIdentity: true },
  ];
  const reply = JSON.stringify({ reply: { kind: 'previewed', says: SAYS, changes, ...more } });
  const sent: object[] = [];
  const hsFetch = async (_: string, { body }: { readonly body?: object }) => {
    if (body) sent.push(body);
    return new Response(reply);
  };
  Object.assign(globalThis, { self: { hsFetch } });
  const { renderer, text } = screen;
  // A single item starts open.
  await renderer.waitFor(() => expect(text()).toContain('Oslo'), { timeoutInMs: 10_000 });
  const tick = (name: string) =>
    renderer.find(Checkbox, ({ props }) => props.name === name).trigger('onChange');
  const decisions = () => sent.filter((body) => !('kind' in body && body.kind === 'preview'));
  return { ...screen, tick, decisions };
}

it("ticks nothing of another person's answer, and rejects it first", async () => {
  const { renderer, labels, text } = await opened('contradiction');
  expect(text()).toContain(SAYS);
  expect(renderer.findAll(Checkbox).map(({ props }) => props.checked)).toEqual([false, false, false]);
  const [first, second] = labels().filter((label) => /reject|Accept/.test(label));
  expect([first, second]).toEqual([BUTTONS.wrongPerson('contacts'), BUTTONS.accept(0)]);
});

it.each([
  [{}, 'primary'],
  [{ fitsIdentifier: true }, 'secondary'],
] as const)('offers a rejection by what the answer fits: %o', async (more, variant) => {
  const { renderer } = await opened('contradiction', more);
  const reject = renderer.find(Button, ({ text }) => text === BUTTONS.wrongPerson('contacts'));
  expect(reject.props.variant).toBe(variant);
});

it('opens no review item while there are several', async () => {
  const row = { objectType: 'contacts', kind: 'contradiction', reason: 'other', others: [] } as const;
  const items = ['1', '2'].map((id) => ({ ...row, id, hasAnswer: true, sinceMs: 1 }));
  const { renderer } = await drawn({ review: { items, isMore: false, toDo: '' } });
  const icons = renderer.findAll(Icon).map(({ props }) => props.screenReaderText);
  expect(icons.filter((text) => text === PAGE_BUTTONS.open('A contact'))).toHaveLength(2);
});

it('counts no stop as a decision', async () => {
  const stop = { kind: 'stop', code: 'budget-used-up', toDo: 'Raise the budget.' } as const;
  const { text } = await drawn({ needs: [{ ...stop, what: 'The budget is used up.', otherwise: '' }] });
  for (const part of [PAGE_NOTES.stops, 'The budget is used up.', PAGE_NOTES.nothingToDecide])
    expect(text()).toContain(part);
});

it('lists the leads of a past stop with their time, and the budget that would have been enough', async () => {
  const stop = { kind: 'past-stop', code: 'budget-used-up', day: '1970-01-01', toMs: 1, leads: 33 } as const;
  const waited = [{ record: `contacts#${RECORD_ID}`, ms: 8 * HOUR_MS }];
  const what = '1 lead waited 8 hours on 1 Jan.';
  const { renderer, text } = await drawn({
    needs: [{ ...stop, what, otherwise: '', waited, enoughCredits: 12 }],
  });
  renderer
    .find(Button, (each) => each.maybeFind(Icon)?.props.screenReaderText === PAGE_BUTTONS.open('past stop'))
    .trigger('onClick');
  for (const part of [
    'A contact',
    PAGE_NOTES.more(32),
    PAGE_NOTES.waited(8 * HOUR_MS),
    PAGE_NOTES.enough(12),
  ])
    expect(text()).toContain(part);
});

it.each([
  [undefined, '-'],
  [0, '0%'],
  [0.001, '<1%'],
  [0.5, '50%'],
  [0.999, '>99%'],
  [1, '100%'],
])('rounds no share to none or all: %s', (share, words) => {
  expect(shareWords(share)).toBe(words);
});

it.each([
  ['1970-01-05', '10:00'],
  ['1970-01-01', '1 Jan, booked 10:00'],
])('names the day on which a charge counts: %s', (day, words) => {
  const atMs = 4 * DAY_MS + 10 * HOUR_MS;
  expect(whenWords({ atMs, day }, { nowMs: atMs, timeZone: 'UTC' })).toBe(words);
});

it("writes another person's identity only after a second consent", async () => {
  const { press, tick, decisions, text } = await opened('contradiction');
  tick('email');
  press(BUTTONS.accept(1));
  expect(text()).toContain(`${SAYS} ${NOTES.writesOther('contacts')}`);
  press(BUTTONS.no);
  press(BUTTONS.accept(1));
  // Another choice asks again.
  tick('city');
  press(BUTTONS.accept(2));
  expect(decisions()).toEqual([]);
  press(BUTTONS.sureOther);
  expect(decisions()).toMatchObject([{ kind: 'accept', confirmsIdentity: true }]);
});

it('asks no second time where no identity is ticked', async () => {
  const { press, tick, decisions } = await opened('contradiction');
  tick('city');
  press(BUTTONS.accept(1));
  expect(decisions()).toMatchObject([{ kind: 'accept', properties: ['city'] }]);
  expect(decisions()[0]).not.toHaveProperty('confirmsIdentity');
});

it('answers a job change in three ways, below the sentence of both jobs', async () => {
  const { press, decisions, labels, text } = await opened('job-change');
  const [both, rest] = text().split(SAYS);
  expect([both?.includes('Other.'), rest?.includes(SAYS)]).toEqual([false, false]);
  const answers = [BUTTONS.acceptJob, BUTTONS.keepOld, BUTTONS.notThisPerson];
  expect(labels().filter((label) => /accept|keep|reject|not this/i.test(label))).toEqual(answers);
  press(BUTTONS.notThisPerson);
  expect(decisions()).toMatchObject([{ kind: 'reject', finding: 'job-change', isOtherPerson: true }]);
});

it('names the price of each button that pays', async () => {
  const admit = { purpose: 'import', records: 7, maxCredits: 21 } as const;
  const backfill: HomeData['backfills'][number] = {
    backfillId: 'b',
    objectType: 'contacts',
    scope: 'all of them',
    state: 'paused',
    records: 10,
    ended: 4,
    spentCredits: 4,
    maxCredits: 12,
    moves: ['resume', 'stop'],
  };
  const { labels } = await drawn({
    waiting: [{ reason: 'budget', records: 40, why: 'The budget is used up.', admit }],
    backfills: [backfill],
  });
  const wanted = [PAGE_BUTTONS.admit(7, 21), PAGE_BUTTONS.move('resume', 12)];
  for (const label of wanted) expect([labels(), label]).toEqual([expect.arrayContaining([label]), label]);
  for (const label of wanted) expect(label).toMatch(/at most \d+ credits/);
});

it.each([0, 12])("names the price of a backfill's trial: %d credits", async (maxCredits) => {
  const row = { kind: 'backfill', what: 'A backfill.', otherwise: 'Nothing is bought for it.' } as const;
  const { labels } = await drawn({
    needs: [{ ...row, backfillId: 'b', moves: ['start'], maxCredits, examples: [] }],
  });
  expect(labels()).toContain(PAGE_BUTTONS.move('start', maxCredits));
});
