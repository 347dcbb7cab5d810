import {
  Alert,
  Button,
  Checkbox,
  EmptyState,
  ErrorState,
  StatusTag,
  TableRow,
  Text,
} from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { ADDRESS } from '../../../../infra/hubspot-app/src/app/cards/address.ts';
import { type CardView, REFUSED_WORDS } from '../../../../infra/hubspot-app/src/app/cards/service.ts';
import {
  BUTTONS,
  day,
  NOTES,
  operationName,
  priceOf,
  QUEUED,
  said,
  VALUE_STATES,
} from '../../../../infra/hubspot-app/src/app/cards/words.ts';
import { cardOf, type Shown, verb } from '../../../harness/at-the-screen.ts';
import { type RecordName, WEBHOOK_URL } from '../../../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../../../harness/people.ts';
import { settleDown } from '../../../harness/steps.ts';
import { registerTsx } from '../../../harness/tsx.ts';
import { createWorld, type World } from '../../../harness/world.ts';

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
    if (isDown?.(method)) throw new Error('ECONNREFUSED');
    const wanted = { url: url.replace(ADDRESS, WEBHOOK_URL), method };
    const post = body ? { body: JSON.stringify(body) } : {};
    const answer = await verb<{ status: number; text: string }>(world, 'fetch', { ...wanted, ...post });
    if (method === 'POST') await settleDown(world);
    if (losesReply?.(method)) throw new Error('ECONNRESET');
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
  readonly sees: (text: string) => Promise<void>;
  /** Waits until the record's status says that it is enriched. */
  readonly seesSuccess: () => Promise<void>;
  readonly buttons: () => readonly string[];
  readonly changes: () => number;
  readonly renderer: ReturnType<typeof createRenderer<'crm.record.tab'>>;
}

const TODAY = '21 Nov 2026';
const UNDO_TITLE = BUTTONS.undo('Job Title');
const SPEND_3 = BUTTONS.spend(3);
const PRICE_3 = priceOf({ questions: [{ operation: 'personProfile', credits: 3 }], credits: 3 });
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
    sees: (wanted) => renderer.waitFor(() => expect(text()).toContain(wanted), PATIENCE),
    seesSuccess: () =>
      renderer.waitFor(() => {
        const told = [renderer.findAll(StatusTag)[0], ...renderer.findAll(Alert)];
        expect(told.map((each) => each?.props.variant)).toContain('success');
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
    for (const part of [operationName('personProfile'), TODAY, VALUE_STATES.ours.word, UNDO_TITLE])
      expect(title).toContain(part);
    const city = rows.find((each) => each.includes('City'));
    expect(city).toContain(VALUE_STATES.changed.word);
    expect(city).not.toContain(BUTTONS.undo('City'));
    const { checkedAtMs = 0, nextCheckAtMs = 0, standing } = (await cardOf(world, record).show()).view;
    expect(screen.renderer.findAll(StatusTag)[0]?.text).toBe(said(standing).word);
    for (const part of [day(checkedAtMs), day(nextCheckAtMs)]) expect(screen.text()).toContain(part);
  });

  it("names the policy's rule that decided about the record", async () => {
    const world = await createWorld({ policy: { whom: { contacts: [{ name: 'everybody' }] } } });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    await open(record).sees(NOTES.rule('everybody'));
  });

  it('says with the price, and after the request, that a person must resume spending first', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const { progress } = await cardOf(world, record).ask({ id: 'quote-stopped', kind: 'quote' });
    if (progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(progress));
    const { waits = '' } = progress.reply.quote;
    expect(waits).not.toBe('');
    openPage(world);
    const screen = open(record);
    await screen.press(BUTTONS.enrich);
    await screen.sees(waits);
    await screen.press(SPEND_3);
    const isWarned = () => screen.renderer.findAll(Alert).some(({ props }) => props.variant === 'warning');
    await screen.renderer.waitFor(() => expect(isWarned()).toBe(true), PATIENCE);
    const { standing } = (await cardOf(world, record).show()).view;
    expect(standing).toMatchObject({ kind: 'waiting', reason: 'stopped-by-person' });
    await screen.sees(said(standing).why);
    expect(world.charged()).toBe(0);
  });

  it('offers a price for a record that is not ours yet, and spends only when it is agreed to', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.press(BUTTONS.enrich);
    await screen.sees(PRICE_3);
    expect(screen.renderer.maybeFind(EmptyState)).not.toBeNull();
    expect(world.charged()).toBe(0);
    await screen.press(SPEND_3);
    await screen.sees('Job Title');
    await screen.seesSuccess();
    expect(world.charged()).toBe(3);
    await screen.renderer.waitFor(() => expect(screen.changes()).toBe(1));
  });

  it('undoes one value, then the whole run', async () => {
    const { world, record } = await enriched();
    const screen = open(record);
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.undone(1));
    expect(screen.buttons()).not.toContain(UNDO_TITLE);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await screen.press(BUTTONS.undoRun);
    await screen.sees(NOTES.nothingOurs);
    await screen.renderer.waitFor(() => expect(screen.changes()).toBe(2), PATIENCE);
  });

  it('asks twice before a wrong match, and then offers the next question with its price', async () => {
    const seeker = await createWorld();
    const email = somePerson(seeker).job.email ?? '';
    const { world, record } = await enriched({ email });
    const screen = open(record);
    const spent = world.charged();
    await screen.press(BUTTONS.wrongMatch);
    await screen.press(BUTTONS.no);
    await screen.press(BUTTONS.wrongMatch);
    await screen.press(BUTTONS.sureWrongMatch);
    await screen.sees(operationName('reverseEmail'));
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('says when the installation does not answer, and looks again', async () => {
    const { world, record } = await enriched();
    let isDown = true;
    openPage(world, { isDown: () => isDown });
    const screen = open(record);
    await screen.sees(NOTES.noAnswer);
    expect(screen.renderer.maybeFind(ErrorState)).not.toBeNull();
    isDown = false;
    await screen.press(BUTTONS.retry);
    await screen.sees('Job Title');
    isDown = true;
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.slow);
    expect(screen.renderer.find(Alert).find(Text).text).toBe('ECONNREFUSED');
    isDown = false;
    await screen.press(BUTTONS.look);
    await screen.sees(NOTES.undone(1));
  });

  it('keeps polling after a failed poll, and never invites to pay again', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    let lost = 0;
    let isLosing = false;
    openPage(world, { losesReply: () => isLosing && ++lost <= 3 });
    const screen = open(record);
    await screen.press(BUTTONS.enrich);
    await screen.sees(PRICE_3);
    isLosing = true;
    await screen.press(SPEND_3);
    await screen.sees(NOTES.keepsAsking);
    await screen.seesSuccess();
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
    await screen.press(BUTTONS.enrich);
    await screen.sees(PRICE_3);
    isLost = true;
    await screen.press(SPEND_3);
    await screen.sees(NOTES.slow);
    expect(screen.text()).not.toContain(SPEND_3);
    expect(world.charged()).toBe(3);
    isLost = false;
    await screen.press(BUTTONS.look);
    await screen.sees(NOTES.charged(3));
    expect(world.charged()).toBe(3);
  });

  it('lets a person close each alert', async () => {
    const { world, record } = await enriched();
    let isLost = false;
    openPage(world, { losesReply: () => isLost });
    const screen = open(record);
    await screen.sees('Job Title');
    isLost = true;
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.slow);
    await screen.press(BUTTONS.close);
    await screen.renderer.waitFor(() => expect(screen.renderer.findAll(Alert)).toEqual([]), PATIENCE);
    isLost = false;
    await screen.press(BUTTONS.undo('City'));
    await screen.sees(NOTES.undone(1));
    await screen.press(BUTTONS.close);
    await screen.renderer.waitFor(() => expect(screen.renderer.findAll(Alert)).toEqual([]), PATIENCE);
  });

  it('says in words why the installation refused, and that nothing was done', async () => {
    const { world, record } = await enriched();
    const screen = open(record);
    await screen.sees('Job Title');
    const refusal = async () => new Response('{"refused":"other-portal"}', { status: 403 });
    Object.assign(globalThis, { self: { hsFetch: refusal } });
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.notAccepted);
    await screen.sees(REFUSED_WORDS['other-portal'] ?? '');
    expect(screen.text()).not.toContain('other-portal');
    expect((await world.portal.properties(record))['jobtitle']).not.toBeUndefined();
  });

  it('has one primary button beside an offer', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.press(BUTTONS.enrich);
    await screen.sees(PRICE_3);
    const primary = screen.renderer.findAll(Button).filter(({ props }) => props.variant === 'primary');
    expect(primary.map(({ text }) => text)).toEqual([SPEND_3]);
  });

  it('lists the values without a table in the sidebar', async () => {
    const { record } = await enriched();
    const screen = open(record, { isNarrow: true });
    await screen.sees('Job Title');
    expect(screen.renderer.findAll(TableRow)).toEqual([]);
    expect(screen.buttons()).toContain(UNDO_TITLE);
    expect(screen.text()).toContain(`${operationName('personProfile')}, ${TODAY}`);
  });

  it('tells of a forgotten person nothing, and offers nothing', async () => {
    const { world, record } = await enriched();
    await world.portal.erase(record);
    await settleDown(world);
    const screen = open(record);
    await screen.sees(said((await cardOf(world, record).show()).view.standing).why);
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
    const { standing } = (await cardOf(world, record).show()).view;
    expect(standing).toMatchObject({ kind: 'waiting', reason: 'budget' });
    const { word, why } = said(standing);
    await screen.sees(word);
    await screen.sees(why);
    // The sweep starts queued records, at the earliest when the budget opens.
    expect(why).toContain('22 Nov 2026, 00:00 UTC');
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
    const { standing } = (await cardOf(world, record).show()).view;
    expect(standing).toMatchObject({ kind: 'waiting', reason: 'stopped-by-person' });
    await open(record).sees(said(standing).why);
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
    await screen.sees(QUEUED.word);
    expect(screen.renderer.find(Button, ({ text }) => text === BUTTONS.enrich).props.disabled).toBe(false);
    await screen.press(BUTTONS.enrich);
    await screen.press(SPEND_3);
    await screen.seesSuccess();
    expect((await world.ledger()).at(-1)?.purpose).toBe('manual');
  });

  it('shows beside the offered values whom the answer is about, which accepting does not write', async () => {
    const { record } = await enriched({ firstname: 'Xanthippe', lastname: 'Quux' });
    const screen = open(record);
    await screen.press(BUTTONS.showValues);
    await screen.sees(NOTES.isKept);
    const rows = screen.renderer.findAll(TableRow).map((row) => row.toString());
    expect(rows.filter((row) => /Xanthippe|Quux/.test(row))).toHaveLength(2);
    const offered = screen.renderer.findAll(Checkbox).length;
    expect(offered).toBeGreaterThan(0);
    expect(screen.buttons()).toContain(BUTTONS.accept(offered));
  });
});
