import { Button } from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, expect, it } from 'vitest';
import { BUTTONS } from '../../../../infra/hubspot-app/src/app/cards/words.ts';
import type { HomeData } from '../../../../infra/hubspot-app/src/app/pages/home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES } from '../../../../infra/hubspot-app/src/app/pages/home-words.ts';
import { registerTsx } from '../../../harness/tsx.ts';

registerTsx();
const { HomePage } = await import('../../../../infra/hubspot-app/src/app/pages/home-page.tsx');

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'self');
});

const DATA: HomeData = {
  ...{ atMs: 0, timeZone: 'UTC', needs: [], waiting: [], activity: [] },
  review: { items: [], isMore: false, toDo: '' },
  spend: {
    ...{ todayCredits: 0, monthCredits: 1_234, pendingCredits: 0, doubtfulCredits: 0, forecastCredits: 0 },
    budgets: [],
  },
};

it('tells a failed look from an empty page, and keeps the last known state', async () => {
  let answer = async (): Promise<Response> => Promise.reject(new Error('ECONNREFUSED'));
  Object.assign(globalThis, { self: { hsFetch: () => answer() } });
  const renderer = createRenderer('pages');
  renderer.render(createElement(HomePage));
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
  await sees(PAGE_NOTES.thisMonth(1_234));
  await sees(PAGE_NOTES.nothingToDecide);
  answer = down;
  press(BUTTONS.look);
  await sees(PAGE_NOTES.lastKnown);
  await sees(PAGE_NOTES.thisMonth(1_234));
});

/** The page with these data, drawn. */
async function drawn(more: Partial<HomeData>) {
  const text = JSON.stringify({ view: { ...DATA, ...more } });
  Object.assign(globalThis, { self: { hsFetch: async () => new Response(text) } });
  const renderer = createRenderer('pages');
  renderer.render(createElement(HomePage));
  await renderer.waitFor(() => expect(renderer.getRootNode().toString()).toContain(BUTTONS.look));
  const labels = renderer.findAll(Button).map((button) => button.text ?? '');
  return { text: renderer.getRootNode().toString(), labels };
}

it('offers the decision of a doubt', async () => {
  const doubt = { questionKey: 'key', reservationId: 'key:1' };
  const row = { kind: 'doubt', what: 'A doubt.', otherwise: 'It counts.', toDo: 'Look.' } as const;
  const { labels } = await drawn({ needs: [{ ...row, doubt }] });
  expect(labels).toContain(PAGE_BUTTONS.charged);
});

it.each([40, 12, 0])('says beforehand that the budget pays %i of 40 records', async (pays) => {
  const admit = { purpose: 'import', records: 40, maxCredits: 120, pays };
  const { text, labels } = await drawn({ waiting: [{ sentence: '40 imported records wait.', admit }] });
  expect(labels).toContain(PAGE_BUTTONS.admit(40, 120));
  expect(text).toContain(PAGE_NOTES.paidNow(40, pays));
  for (const other of [0, 12].filter((each) => each !== pays))
    expect(text).not.toContain(PAGE_NOTES.paidNow(40, other));
});

it.each([0, 12])("names the price of a backfill's trial: %d credits", async (maxCredits) => {
  const row = { kind: 'backfill', what: 'A backfill.', otherwise: 'Nothing is bought for it.' } as const;
  const { labels } = await drawn({ needs: [{ ...row, backfillId: 'b', moves: ['start'], maxCredits }] });
  expect(labels).toContain(PAGE_BUTTONS.move('start', maxCredits));
});
