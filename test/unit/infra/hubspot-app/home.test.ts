import { Button } from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { HomeData } from '../../../../infra/hubspot-app/src/app/pages/home-service.ts';
import { registerTsx } from '../../../builders/tsx.ts';

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
  let answer = async (): Promise<Response> => Promise.reject(new Error('The network is down.'));
  Object.assign(globalThis, { self: { hsFetch: () => answer() } });
  const renderer = createRenderer('home');
  renderer.render(createElement(HomePage));
  const sees = (text: string) =>
    renderer.waitFor(() => expect(renderer.getRootNode().toString()).toContain(text));
  const press = (label: string) => renderer.find(Button, ({ text }) => text === label).trigger('onClick');
  const down = answer;
  await sees('The network is down.');
  answer = async () => new Response('{}');
  press('Try again');
  await sees('Nothing is known yet');
  answer = async () => new Response(JSON.stringify({ view: DATA }));
  press('Look again');
  await sees('1,234 credits this month');
  await sees('Nothing needs a decision.');
  answer = down;
  press('Look again');
  await sees('This is the last known state');
  await sees('1,234 credits this month');
});
