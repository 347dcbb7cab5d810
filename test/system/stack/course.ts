import * as app from '#shared/app';
import { backfillKind, newBackfill } from '#shared/extensions/backfill';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { because, newRecordState, type RecordState, recordKind } from '#shared/records';
import { requestKind } from '#shared/requests';
import { change } from '#shared/store';
import type { Installation } from './installation.ts';
import { enlarged, type FoundPerson } from './vendors.ts';

/** An installation in which time passes at once. */
export interface Course {
  readonly installation: Installation;
  readonly pass: (ms: number) => void;
}

/** Longer than any worker lives, and than the minutes over which the vendor counts requests. */
const LATER_MS = 20 * MINUTE_MS;

/**
 * New records in every way that they can end, and what may happen to them in their first year.
 * @returns what the reconciler reported.
 */
export async function liveThrough(course: Course) {
  await comeAndGo(course);
  await useCard(course);
  await waitForCredits(course);
  await dieWhileAsking(course);
  await dieBeforeBooking(course);
  await leaveDoubt(course);
  course.pass(2 * DAY_MS);
  const afterDays = await reconcile(course);
  await forgetPeople(course);
  await missWebhook(course);
  course.pass(400 * DAY_MS);
  await course.installation.invoke('refresh-stale', {});
  return { afterDays, afterAYear: await reconcile(course) };
}

/** Found, also as a company; without match; with nothing to ask by; told of twice; asked for by hand; merged. */
async function comeAndGo(course: Course): Promise<void> {
  const { vendors, gate, invoke } = course.installation;
  const { portal } = vendors;
  gate.loseAnswer({ caller: 'enrich-records', action: 'dynamodb:PutItem', resource: 'ledger' });
  const known = await portal.create('contacts', profileOf(personAt(course, 0)));
  await settle(course);
  const other = await portal.create('contacts', profileOf(personAt(course, 1)));
  await portal.create('companies', { domain: vendors.companies[0]?.domains[0] ?? '' });
  await portal.create('contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-at-all' });
  await portal.create('contacts', { email: 'someone@gmail.com' });
  await settle(course);
  await portal.redeliver(known);
  await settle(course);
  await portal.edit(known, { enrichment_requested: 'true' });
  await settle(course);
  await portal.merge(known, other);
  await settle(course);
  await invoke('enrich-records', { Records: [{ messageId: 'malformed', body: '{}' }] });
}

/**
 * A person at the card looks, undoes and marks a wrong match, and decides on the home page; a workflow enriches a
 * contact.
 */
async function useCard(course: Course): Promise<void> {
  const { installation } = course;
  const { portal } = installation.vendors;
  const { objectType, id } = await portal.create('contacts', profileOf(personAt(course, 8)));
  await settle(course);
  const path = `records/${objectType}/${id}`;
  const run = { recordId: id, number: 1 };
  await installation.fetchForCard(path);
  await showHalted(course);
  for (const request of [
    { id: 'course-quote', kind: 'quote' },
    { id: 'course-undo', kind: 'undo', property: 'jobtitle' },
    { id: 'course-wrong', kind: 'wrong-match', run },
    { id: 'course-enrich', kind: 'enrich', maxCredits: 5 },
  ]) {
    await installation.fetchForCard(`${path}/requests`, request);
    await settle(course);
    await installation.fetchForCard(`${path}?request=${request.id}`);
  }
  await showPreview(course, path);
  for (const request of [
    { id: 'course-stop', kind: 'stop-spending' },
    { id: 'course-resume', kind: 'resume-spending' },
    { id: 'course-admit', kind: 'admit', purpose: 'import', maxCredits: 5 },
    { id: 'course-doubt', kind: 'resolve-doubt', questionKey: 'a', reservationId: 'a:1', charged: true },
    { id: 'course-backfill', kind: 'backfill', backfillId: 'a', move: 'stop' },
  ]) {
    await installation.fetchForCard('home/requests', request);
    await settle(course);
    await installation.fetchForCard(`home?request=${request.id}`);
  }
  await installation.enrol(objectType, [id]);
  await settle(course);
}

/** The card shows a record that a backfill no longer looks up. */
async function showHalted({ installation }: Course): Promise<void> {
  const { settings } = installation;
  const reason = because('backfill-halted');
  const skipped = { kind: 'skipped', reason, credits: 0 } as const;
  const end = { kind: 'skipped', credits: 0, isDamage: false, isWithdrawn: true } as const;
  const value: RecordState = {
    ...newRecordState('contacts', '77'),
    outcome: { ...skipped, atMs: settings.clock.now() },
    backfills: [{ id: 'a', runId: 'b', end }],
  };
  await app.records(settings).write({ key: recordKind.key(value), value, expectedVersion: undefined });
  await installation.fetchForCard('records/contacts/77');
}

/** The card shows the values that accepting a finding would write. */
async function showPreview({ installation }: Course, path: string): Promise<void> {
  const request = { id: 'course-preview', kind: 'preview', finding: 'contradiction', foundAtMs: 1 };
  await installation.fetchForCard(`${path}/requests`, request);
  await change(
    app.requests(installation.settings),
    { key: requestKind.key({ request: request.id }), kind: 'request', clock: installation.settings.clock },
    (known) => ({
      value: known?.request && { request: { ...known.request, reply: { kind: 'previewed' as const } } },
    }),
  );
  await installation.fetchForCard(`${path}?request=${request.id}`);
}

/** Nothing is asked without credits: the record waits. */
async function waitForCredits(course: Course): Promise<void> {
  const { vendors } = course.installation;
  await vendors.changeService({ creditBalance: 0 });
  const wanted = await vendors.portal.create('contacts', profileOf(personAt(course, 2)));
  await vendors.portal.edit(wanted, { enrichment_requested: 'true' });
  await settle(course);
  await vendors.changeService({ creditBalance: 100_000 });
  course.pass(DAY_MS);
}

/** The worker is killed between its question and the outcome. */
async function dieWhileAsking(course: Course): Promise<void> {
  const { vendors, gate } = course.installation;
  vendors.beforeNextAnswer(async (answer) => {
    gate.cutOff('enrich-records');
    return answer;
  });
  await vendors.portal.create('contacts', profileOf(personAt(course, 3)));
  await settle(course);
  gate.reconnect('enrich-records');
  gate.loseAnswer({ caller: 'reconcile', action: 'dynamodb:PutItem', resource: 'ledger' });
}

/** The worker is killed between the stored charge and its entry in the ledger. */
async function dieBeforeBooking(course: Course): Promise<void> {
  const { vendors, gate } = course.installation;
  gate.cutOffAt({ caller: 'enrich-records', action: 'dynamodb:PutItem', resource: 'proof' });
  await vendors.portal.create('contacts', profileOf(personAt(course, 9)));
  await settle(course);
  gate.reconnect('enrich-records');
}

/** A request without an answer. */
async function leaveDoubt(course: Course): Promise<void> {
  const { vendors } = course.installation;
  await vendors.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
  await vendors.portal.create('contacts', profileOf(personAt(course, 4)));
  await settle(course);
}

/** Two people ask to be forgotten, one of them with an answer in parts; one of them comes back. */
async function forgetPeople(course: Course): Promise<void> {
  const { vendors } = course.installation;
  const { portal } = vendors;
  const first = await portal.create('contacts', profileOf(personAt(course, 5)));
  await settle(course);
  vendors.beforeNextAnswer(enlarged);
  const second = await portal.create('contacts', profileOf(personAt(course, 6)));
  await settle(course);
  await portal.erase(first);
  await portal.erase(second);
  await settle(course);
  const third = await portal.create('contacts', profileOf(personAt(course, 5)));
  await settle(course);
  await portal.archive(third);
  await settle(course);
}

/** A record that nobody told of. */
async function missWebhook(course: Course): Promise<void> {
  const { portal } = course.installation.vendors;
  await portal.create('contacts', profileOf(personAt(course, 7)));
}

const SCOPE = { objectType: 'contacts', words: 'all of them', where: [] } as const;

/** Everything that is asked of the spend report. */
export async function lookAtSpend({ invoke, settings }: Installation): Promise<void> {
  const backfill = newBackfill('course', {
    scope: SCOPE,
    trialSize: { trial: 20, trialPerStratum: 5 },
    nowMs: 0,
  });
  await app
    .open(settings)(backfillKind)
    .write({
      key: backfillKind.key(backfill.id),
      value: backfill,
      expectedVersion: undefined,
    });
  const value = { ...newRecordState('contacts', '1'), runsOpened: 1 };
  await app.records(settings).write({ key: recordKind.key(value), value, expectedVersion: undefined });
  await app.reviews(settings).duplicate(value, {
    kind: 'duplicate',
    reason: { code: 'other-records' },
    others: ['2'],
    purpose: 'live',
  });

  for (const rawPath of ['/spend', '/spend.csv', '/spend/charges', '/spend/waiting', '/nothing']) {
    await invoke('report-spend', {
      rawPath,
      rawQueryString: 'type=contacts&id=1',
      requestContext: { http: { method: 'GET' } },
    });
  }
  await invoke('report-spend', { describe: true });
  await invoke('report-spend', { widgetContext: { theme: 'light' } });
}

/** A delivery that HubSpot did not sign, and a card's request. */
export async function forge({ invoke }: Installation): Promise<void> {
  const requestContext = { http: { method: 'POST' } };
  const event = { requestContext, headers: {}, body: '[]', isBase64Encoded: false };
  await invoke('receive-webhook', event);
  await invoke('serve-hubspot', { ...event, rawPath: '/hubspot/records/contacts/1', rawQueryString: '' });
}

/** Webhooks are delivered, and worked on. */
async function settle({ installation, pass }: Course): Promise<void> {
  pass(MINUTE_MS);
  await installation.deliverWebhooks();
  await installation.work();
}

/** What the reconciler queues is worked on, too. */
async function reconcile({ installation, pass }: Course): Promise<unknown> {
  pass(LATER_MS);
  const report = await installation.invoke('reconcile', {});
  await installation.work();
  return report;
}

function profileOf({ networkSlug }: FoundPerson): Record<string, string> {
  return { hs_linkedin_url: `https://www.linkedin.com/in/${networkSlug}` };
}

function personAt({ installation }: Course, nth: number): FoundPerson {
  const person = installation.vendors.people[nth];
  if (!person) throw new Error('The stand-in knows too few people.');
  return person;
}
