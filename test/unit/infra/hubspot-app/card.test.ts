import {
  Alert,
  Button,
  ErrorState,
  Icon,
  Link,
  LoadingButton,
  StatusTag,
  TableRow,
  Text,
} from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { ADDRESS } from '../../../../infra/hubspot-app/src/app/cards/address.ts';
import { REFUSED_WORDS } from '../../../../infra/hubspot-app/src/app/cards/service.ts';
import {
  agoWords,
  BUTTONS,
  dateWords,
  EDITS,
  jobMove,
  NOTES,
  operationName,
  said,
} from '../../../../infra/hubspot-app/src/app/cards/words.ts';
import { cardOf, verb } from '../../../harness/at-the-screen.ts';
import { type RecordName, WEBHOOK_URL } from '../../../harness/hubspot-portal.ts';
import { contact, jobChanger, profileUrlOf, somePerson } from '../../../harness/people.ts';
import { refreshAfter, settleDown } from '../../../harness/steps.ts';
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
  /** What happens after an answer. */
  readonly after?: (method: string) => Promise<void>;
  /** The request arrives, and its reply does not. */
  readonly losesReply?: (method: string) => boolean;
}

/** What a card's worker finds in HubSpot's page: here the stand-in signs, and our function answers. */
function openPage(world: World, { isDown, after, losesReply }: Network = {}): void {
  const hsFetch = async (url: string, { method, body }: FetchOptions): Promise<Response> => {
    if (isDown?.(method)) throw new Error('ECONNREFUSED');
    const wanted = { url: url.replace(ADDRESS, WEBHOOK_URL), method };
    const post = body ? { body: JSON.stringify(body) } : {};
    const answer = await verb<{ status: number; text: string }>(world, 'fetch', { ...wanted, ...post });
    if (method === 'POST') await settleDown(world);
    await after?.(method);
    if (losesReply?.(method)) throw new Error('ECONNRESET');
    return new Response(answer.text, { status: answer.status });
  };
  Object.assign(globalThis, { self: { hsFetch } });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'self');
});

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

const TODAY = '21 Nov';
const UNDO_TITLE = BUTTONS.undo('Job Title');
/** The button that pays, whatever number of blanks it fills. */
const BUY_3 = BUTTONS.buy({ credits: 3 }).split(':')[1] ?? '';
const PATIENCE = { timeoutInMs: 60_000 };

function open(record: RecordName, { isNarrow = false } = {}): Screen {
  const renderer = createRenderer('crm.record.tab');
  let changes = 0;
  renderer.render(
    createElement(RecordCard, {
      record,
      portalId: 1234,
      isNarrow,
      onChange: () => {
        changes += 1;
      },
      pace: { pollMs: 1, polls: 20 },
    }),
  );
  const text = () => renderer.getRootNode().toString();
  const all = () => [...renderer.findAll(Button), ...renderer.findAll(LoadingButton)];
  /** The name of a button with an icon is the text for a screen reader. */
  const nameOf = (button: ReturnType<typeof all>[number]) =>
    button.maybeFind(Icon)?.props.screenReaderText ?? button.text ?? '';
  const buttons = () => all().map(nameOf);
  return {
    renderer,
    text,
    buttons,
    changes: () => changes,
    press: async (label) => {
      const isNamed = (name: string) => name === label || (label.startsWith(' ') && name.endsWith(label));
      await renderer.waitFor(() => expect(buttons().some(isNamed)).toBe(true), PATIENCE);
      all()
        .find((button) => isNamed(nameOf(button)))
        ?.trigger('onClick');
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

it('counts the calendar days of the time zone since the last answer', () => {
  const [from, to] = ['2026-11-16T23:30:00Z', '2026-11-29T22:00:00Z'].map((at) => Date.parse(at));
  const days = (timeZone: string) => Number.parseInt(agoWords(from ?? 0, to ?? 0, timeZone), 10);
  expect([days('UTC'), days('Asia/Tokyo'), days('America/New_York')]).toEqual([13, 13, 13]);
  expect(agoWords(to ?? 0, (to ?? 0) + 2 * HOUR_MS, 'UTC')).toBe(agoWords(0, DAY_MS, 'UTC'));
});

describe('the card', () => {
  it.each([
    [true, ['Look up anyway: at most 3 credits']],
    [false, []],
  ])('of a record that a rule excludes, which allows requests: %s', async (onRequest, offers) => {
    const rule = { name: 'the rest', enrich: false, onRequest };
    const world = await createWorld({ policy: { whom: { contacts: [rule] } } });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.sees('the rest');
    const priced = () => screen.buttons().filter((name) => name.includes(':'));
    await screen.renderer.waitFor(() => expect(screen.buttons()).not.toContain(BUTTONS.pricing), PATIENCE);
    expect(priced()).toEqual(offers);
    const { why } = (await cardOf(world, record).show()).view.standing;
    expect(screen.renderer.findAll(Text).filter(({ text }) => text?.includes(why))).toHaveLength(1);
    for (const offer of offers) await screen.press(offer);
    if (offers.length > 0) await screen.seesSuccess();
    expect(world.charged()).toBe(offers.length * 3);
  });

  it('shows each value with its source and date, and whether it is still ours', async () => {
    const { world, record } = await enriched();
    await world.portal.edit(record, { city: 'Elsewhere' });
    const screen = open(record);
    await screen.sees('Job Title');
    expect((await cardOf(world, record).show()).view.values.length).toBeGreaterThan(3);
    const rows = screen.renderer.findAll(TableRow).map((each) => each.toString());
    const title = rows.find((each) => each.includes('Job Title'));
    const { jobtitle } = await world.portal.properties(record);
    for (const part of [NOTES.empty, jobtitle, TODAY, UNDO_TITLE]) expect(title).toContain(part);
    const city = rows.find((each) => each.includes('City'));
    expect(city).toContain(EDITS.changed);
    expect(city).not.toContain(BUTTONS.undo('City'));
    const { checkedAtMs = 0, nextCheckAtMs = 0, standing } = (await cardOf(world, record).show()).view;
    expect(screen.renderer.findAll(StatusTag)[0]?.text).toBe(said(standing, 'UTC').word);
    for (const part of [checkedAtMs, nextCheckAtMs].map((atMs) => dateWords('long', atMs, 'UTC')))
      expect(screen.text()).toContain(part);
    expect(screen.text()).not.toContain(record.id);
  });

  it.each([{ enrich: false }, { refresh: false }])(
    'names the rule that decides now, and no next check if it allows none: %o',
    async (more) => {
      const { world, record } = await enriched();
      const { nextCheckAtMs = 0 } = (await cardOf(world, record).show()).view;
      expect(nextCheckAtMs).toBeGreaterThan(world.clock.now());
      world.changePolicy({ whom: { contacts: [{ name: 'of today', ...more }] } });
      const screen = open(record);
      await screen.sees('of today');
      expect(screen.text()).not.toContain(dateWords('long', nextCheckAtMs, 'UTC'));
    },
  );

  it('offers a price for a record that is not ours yet, and spends only when it is agreed to', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    openPage(world);
    const screen = open(record);
    await screen.sees(BUY_3);
    expect(world.charged()).toBe(0);
    // The answer is not known yet.
    expect(screen.buttons().some((name) => /up to \d+ blanks/.test(name))).toBe(true);
    await screen.press(BUY_3);
    await screen.sees('Job Title');
    await screen.seesSuccess();
    expect(world.charged()).toBe(3);
    await screen.renderer.waitFor(() => expect(screen.changes()).toBe(1));
  });

  it('asks for the price again when a run ends between two looks', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    await settleDown(world);
    const first = Promise.withResolvers<void>();
    openPage(world, {
      // The first request asks for the price. Before its reply is read, somebody else enriches the record.
      after: async (method) => {
        if (method !== 'POST' || world.charged() > 0) return;
        await cardOf(world, record).ask({ id: 'other-enrich-1', kind: 'enrich', maxCredits: 3 });
        first.resolve();
      },
    });
    const screen = open(record);
    await first.promise;
    await screen.sees('Job Title');
    await screen.renderer.waitFor(() => {
      expect(screen.buttons()).not.toContain(BUTTONS.pricing);
      expect(screen.buttons().filter((name) => name.endsWith(BUY_3))).toEqual([]);
    }, PATIENCE);
    expect(world.charged()).toBe(3);
  });

  it('undoes to the value that it shows as the old one', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(mover) });
    await settleDown(world);
    await refreshAfter(world, 181 * DAY_MS);
    openPage(world);
    const screen = open(record);
    await screen.sees(`${mover.job.title} \u2192 ${mover.nextJob.title}`);
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.undone(1));
    expect((await world.portal.properties(record))['jobtitle']).toBe(mover.job.title);
  });

  it('says a followed job change first, and undoes it whole', async () => {
    const world = await createWorld({ policy: { jobChange: 'follow' } });
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(mover) });
    await settleDown(world);
    const before = await world.portal.properties(record);
    const job = ({ jobtitle, company, start_date }: Record<string, string | null>) => [
      jobtitle,
      company,
      start_date,
    ];
    await refreshAfter(world, 181 * DAY_MS);
    expect(job(await world.portal.properties(record))).not.toEqual(job(before));
    openPage(world);
    const screen = open(record);
    const told = await cardOf(world, record).show();
    const move = jobMove(told.view.values, 'UTC');
    if (!move) throw new Error('The view holds no job change.');
    const parts = [mover.job, mover.nextJob].flatMap(({ company, title }) => [company.name, title]);
    for (const part of parts) expect(move.says).toContain(part);
    await screen.sees(move.says);
    await screen.press(BUTTONS.undoJob(move.values));
    await screen.renderer.waitFor(() => expect(screen.text()).not.toContain(move.says), PATIENCE);
    expect(job(await world.portal.properties(record))).toEqual(job(before));
    const { enrichment_job_changed_at: changedAt = '' } = await world.portal.properties(record);
    expect(changedAt).toBe('');
  });

  it('names the other record of a duplicate', async () => {
    const { world, record } = await enriched();
    const other = await contact(world);
    await settleDown(world);
    const { findings } = (await cardOf(world, other).show()).view;
    expect(findings).toMatchObject([{ kind: 'duplicate', others: [`contacts#${record.id}`] }]);
    const screen = open(other);
    await screen.sees(NOTES.stays);
    const links = screen.renderer.findAll(Link).map(({ props }) => props.href);
    expect(links).toEqual([expect.stringMatching(new RegExp(`/1234/record/0-1/${record.id}$`))]);
  });

  it('undoes one value, then all others', async () => {
    const { world, record } = await enriched();
    const screen = open(record);
    await screen.press(UNDO_TITLE);
    await screen.sees(NOTES.undone(1));
    expect(screen.buttons()).not.toContain(UNDO_TITLE);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    const { values } = (await cardOf(world, record).show()).view;
    await screen.press(BUTTONS.undoAll(values.length));
    await screen.sees(NOTES.undone(values.length));
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
    await screen.sees(operationName('reverseEmail').toLowerCase());
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
    await screen.sees(BUY_3);
    isLosing = true;
    await screen.press(BUY_3);
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
    await screen.sees(BUY_3);
    isLost = true;
    await screen.press(BUY_3);
    await screen.sees(NOTES.slow);
    expect(world.charged()).toBe(3);
    isLost = false;
    await screen.press(BUTTONS.look);
    await screen.sees(NOTES.charged(3));
    expect(world.charged()).toBe(3);
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

  it('tells of a forgotten person nothing, and offers nothing', async () => {
    const { world, record } = await enriched();
    await world.portal.erase(record);
    await settleDown(world);
    const screen = open(record);
    await screen.sees(said((await cardOf(world, record).show()).view.standing, 'UTC').why);
    expect(screen.buttons()).toEqual([]);
  });
});
