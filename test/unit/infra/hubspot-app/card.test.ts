import { Alert, Button, EmptyState, ErrorState, StatusTag, TableRow, Text } from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { ADDRESS } from '../../../../infra/hubspot-app/src/app/cards/address.ts';
import type { CardView } from '../../../../infra/hubspot-app/src/app/cards/service.ts';
import { day } from '../../../../infra/hubspot-app/src/app/cards/words.ts';
import { cardOf, type Shown, verb } from '../../../builders/at-the-screen.ts';
import { type RecordName, WEBHOOK_URL } from '../../../builders/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../../../builders/people.ts';
import { settleDown } from '../../../builders/steps.ts';
import { registerTsx } from '../../../builders/tsx.ts';
import { createWorld, type World } from '../../../builders/world.ts';

registerTsx();
const { RecordCard } = await import('../../../../infra/hubspot-app/src/app/cards/record-card.tsx');

interface FetchOptions {
  readonly method: string;
  readonly body?: object;
}

interface Network {
  readonly isDown?: (method: string) => boolean;
  /** The request arrives, and its reply does not. */
  readonly losesReply?: (method: string) => boolean;
}

/** What a card's worker finds in HubSpot's page: here the stand-in signs, and our function answers. */
function openPage(world: World, { isDown, losesReply }: Network = {}): void {
  const hsFetch = async (url: string, { method, body }: FetchOptions): Promise<Response> => {
    if (isDown?.(method)) throw new Error('The network is down.');
    const wanted = { url: url.replace(ADDRESS, WEBHOOK_URL), method };
    const post = body ? { body: JSON.stringify(body) } : {};
    const answer = await verb<{ status: number; text: string }>(world, 'fetch', { ...wanted, ...post });
    if (method === 'POST') await settleDown(world);
    if (losesReply?.(method)) throw new Error('The connection was lost.');
    return new Response(answer.text, { status: answer.status });
  };
  Object.assign(globalThis, { self: { hsFetch } });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'self');
});

/** The card's own type, which is written down in its folder, takes what the function tells. */
const told = (view: Shown['view']): CardView => view;

interface Screen {
  readonly text: () => string;
  /** Waits for the button, and presses it. */
  readonly press: (label: string) => Promise<void>;
  readonly sees: (text: string | RegExp) => Promise<void>;
  readonly buttons: () => readonly string[];
  readonly changes: () => number;
  readonly renderer: ReturnType<typeof createRenderer<'crm.record.tab'>>;
}

const PATIENCE = { timeoutInMs: 60_000 };

function open(record: RecordName, { isNarrow = false } = {}): Screen {
  const renderer = createRenderer('crm.record.tab');
  let changes = 0;
  renderer.render(
    createElement(RecordCard, {
      ...{ record, isNarrow },
      onChange: () => {
        changes += 1;
      },
      pace: { pollMs: 1, polls: 20 },
    }),
  );
  const text = () => renderer.getRootNode().toString();
  const buttons = () => renderer.findAll(Button).map((button) => button.text ?? '');
  return {
    renderer,
    text,
    buttons,
    changes: () => changes,
    press: async (label) => {
      await renderer.waitFor(() => expect(buttons()).toContain(label), PATIENCE);
      renderer.find(Button, (button) => button.text === label).trigger('onClick');
    },
    sees: (wanted) =>
      renderer.waitFor(() => {
        if (typeof wanted === 'string') expect(text()).toContain(wanted);
        else expect(text()).toMatch(wanted);
      }, PATIENCE),
  };
}

async function enriched(more = {}): Promise<{ world: World; record: RecordName }> {
  const world = await createWorld();
  const record = await contact(world, 0, more);
  await settleDown(world);
  openPage(world);
  return { world, record };
}

describe('the card', () => {
  it('shows each value with its source and date, and whether it is still ours', async () => {
    const { world, record } = await enriched();
    await world.portal.edit(record, { city: 'Elsewhere' });
    const screen = open(record);
    await screen.sees('Job Title');
    expect(told((await cardOf(world, record).show()).view).values.length).toBeGreaterThan(3);
    const rows = screen.renderer.findAll(TableRow).map((each) => each.toString());
    const title = rows.find((each) => each.includes('Job Title'));
    for (const part of ['Person profile', '21 Nov 2026', 'Still ours', 'Undo Job Title'])
      expect(title).toContain(part);
    const city = rows.find((each) => each.includes('City'));
    expect(city).toContain('No longer ours');
    expect(city).not.toContain('Undo');
    expect(screen.renderer.findAll(StatusTag)[0]?.text).toMatch(/^Enriched on 21 Nov 2026/);
    const { checkedAtMs = 0, nextCheckAtMs = 0 } = (await cardOf(world, record).show()).view;
    for (const part of [day(checkedAtMs), day(nextCheckAtMs)]) expect(screen.text()).toContain(part);
  });

  it("names the policy's rule that decided about the record", async () => {
    const world = await createWorld({ policy: { whom: { contacts: [{ name: 'everybody' }] } } });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    await open(record).sees('Rule: everybody');
  });

  it('says with the price, and after the request, that a person must resume spending first', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    openPage(world);
    const screen = open(record);
    await screen.press('Enrich now');
    await screen.sees('Nothing is bought until a person resumes spending.');
    await screen.press('Spend at most 3 credits');
    await screen.sees('It waits until a person resumes spending.');
    expect(screen.text()).not.toContain('continues after');
    expect(world.charged()).toBe(0);
  });

  it('offers a price for a record that is not ours yet, and spends only when it is agreed to', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.press('Enrich now');
    await screen.sees('Person profile: at most 3 credits.');
    expect(screen.renderer.maybeFind(EmptyState)).not.toBeNull();
    expect(world.charged()).toBe(0);
    await screen.press('Spend at most 3 credits');
    await screen.sees('Job Title');
    await screen.sees(/Enriched on 21 Nov 2026/);
    expect(world.charged()).toBe(3);
    await screen.renderer.waitFor(() => expect(screen.changes()).toBe(1));
  });

  it('undoes one value, then the whole run', async () => {
    const { world, record } = await enriched();
    const screen = open(record);
    await screen.press('Undo Job Title');
    await screen.sees('1 value brought back');
    expect(screen.buttons()).not.toContain('Undo Job Title');
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await screen.press('Undo this run');
    await screen.sees('No value here is ours');
    await screen.renderer.waitFor(() => expect(screen.changes()).toBe(2), PATIENCE);
  });

  it('asks twice before a wrong match, and then offers the next question with its price', async () => {
    const seeker = await createWorld();
    const email = somePerson(seeker).job.email ?? '';
    const { world, record } = await enriched({ email });
    const screen = open(record);
    const spent = world.charged();
    await screen.press('Wrong match');
    await screen.press('No');
    await screen.press('Wrong match');
    await screen.press('Yes, a wrong match');
    await screen.sees('Reverse email lookup');
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('says when the installation does not answer, and looks again', async () => {
    const { world, record } = await enriched();
    let isDown = true;
    openPage(world, { isDown: () => isDown });
    const screen = open(record);
    await screen.sees('The enrichment does not answer');
    expect(screen.renderer.maybeFind(ErrorState)).not.toBeNull();
    isDown = false;
    await screen.press('Try again');
    await screen.sees('Job Title');
    isDown = true;
    await screen.press('Undo Job Title');
    await screen.sees('Still under way');
    expect(screen.renderer.find(Alert).find(Text).text).toBe('The network is down.');
    isDown = false;
    await screen.press('Look again');
    await screen.sees('1 value brought back');
  });

  it('keeps polling after a failed poll, and never invites to pay again', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    let lost = 0;
    let isLosing = false;
    openPage(world, { losesReply: () => isLosing && ++lost <= 3 });
    const screen = open(record);
    await screen.press('Enrich now');
    await screen.sees('Person profile: at most 3 credits.');
    isLosing = true;
    await screen.press('Spend at most 3 credits');
    await screen.sees('The card keeps asking; nothing is paid twice.');
    await screen.sees(/Enriched on 21 Nov 2026/);
    expect(lost).toBeGreaterThan(3);
    expect(world.charged()).toBe(3);
    expect((await world.state(record))?.runsOpened).toBe(2);
  });

  it('shows the reply when a person looks again, and what was charged so far', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    let isLost = false;
    openPage(world, { losesReply: () => isLost });
    const screen = open(record);
    await screen.press('Enrich now');
    await screen.sees('Person profile: at most 3 credits.');
    isLost = true;
    await screen.press('Spend at most 3 credits');
    await screen.sees('Still under way');
    expect(screen.text()).not.toContain('Spend at most');
    expect(world.charged()).toBe(3);
    isLost = false;
    await screen.press('Look again');
    await screen.sees(/Charged: 3 credits/);
    expect(world.charged()).toBe(3);
  });

  it('lets a person close each alert', async () => {
    const { world, record } = await enriched();
    let isLost = false;
    openPage(world, { losesReply: () => isLost });
    const screen = open(record);
    await screen.sees('Job Title');
    isLost = true;
    await screen.press('Undo Job Title');
    await screen.sees('Still under way');
    await screen.press('Close');
    await screen.renderer.waitFor(() => expect(screen.renderer.findAll(Alert)).toEqual([]), PATIENCE);
    isLost = false;
    await screen.press('Undo City');
    await screen.sees('1 value brought back');
    await screen.press('Close');
    await screen.renderer.waitFor(() => expect(screen.renderer.findAll(Alert)).toEqual([]), PATIENCE);
  });

  it('says in words why the installation refused, and that nothing was done', async () => {
    const { world, record } = await enriched();
    const screen = open(record);
    await screen.sees('Job Title');
    const refusal = async () => new Response('{"refused":"other-portal"}', { status: 403 });
    Object.assign(globalThis, { self: { hsFetch: refusal } });
    await screen.press('Undo Job Title');
    await screen.sees('Not accepted');
    await screen.sees('The installation works for another HubSpot account.');
    expect(screen.text()).not.toContain('other-portal');
    expect((await world.portal.properties(record))['jobtitle']).not.toBeUndefined();
  });

  it('has one primary button beside an offer', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.press('Enrich now');
    await screen.sees('Person profile: at most 3 credits.');
    const primary = screen.renderer.findAll(Button).filter(({ props }) => props.variant === 'primary');
    expect(primary.map(({ text }) => text)).toEqual(['Spend at most 3 credits']);
  });

  it('lists the values without a table in the sidebar', async () => {
    const { record } = await enriched();
    const screen = open(record, { isNarrow: true });
    await screen.sees('Job Title');
    expect(screen.renderer.findAll(TableRow)).toEqual([]);
    expect(screen.buttons()).toContain('Undo Job Title');
    expect(screen.text()).toContain('Person profile, 21 Nov 2026');
  });

  it('tells of a forgotten person nothing, and offers nothing', async () => {
    const { world, record } = await enriched();
    await world.portal.erase(record);
    await settleDown(world);
    const screen = open(record);
    await screen.sees('The person asked to be forgotten.');
    expect(screen.buttons()).toEqual([]);
  });

  it('says what a record waits for', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 4 } } });
    await contact(world);
    await settleDown(world);
    const record = await contact(world, 1);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.sees('Waiting');
    await screen.sees(/budget/i);
    // The sweep starts queued records, at the earliest when the budget opens.
    await screen.sees(/It waits until its turn, after 22 Nov 2026, 00:00 UTC\./);
  });

  it('names the event that ends the wait while a person has stopped spending, for a queued record too', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const properties = { hs_linkedin_url: profileUrlOf(somePerson(world)) };
    const record = await world.portal.create('contacts', properties, [], { source: 'IMPORT' });
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
    expect((await world.state(record))?.waiting?.reason).toBe('queued');
    openPage(world);
    await open(record).sees(/It waits until a person resumes spending\./);
  });

  it('serves a queued import at once', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1_000 } } });
    const properties = { hs_linkedin_url: profileUrlOf(somePerson(world)) };
    const record = await world.portal.create('contacts', properties, [], { source: 'IMPORT' });
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
    expect((await world.state(record))?.waiting?.reason).toBe('queued');
    openPage(world);
    const screen = open(record);
    await screen.sees('Queued');
    expect(screen.renderer.find(Button, ({ text }) => text === 'Enrich now').props.disabled).toBe(false);
    await screen.press('Enrich now');
    await screen.press('Spend at most 3 credits');
    await screen.sees(/Enriched on 21 Nov 2026/);
    expect((await world.ledger()).at(-1)?.purpose).toBe('manual');
  });

  it('shows beside the offered values whom the answer is about, which accepting does not write', async () => {
    const { record } = await enriched({ firstname: 'Xanthippe', lastname: 'Quux' });
    const screen = open(record);
    await screen.press('Show values');
    await screen.sees('Stays as it is in HubSpot');
    const [kept, offered] = [/Xanthippe|Quux/, /Write/].map((words) =>
      screen.renderer.findAll(TableRow).filter((row) => words.test(row.toString())),
    );
    expect(kept).toHaveLength(2);
    expect(screen.buttons()).toContain(`Accept ${offered?.length} values`);
  });
});
