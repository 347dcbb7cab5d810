import { describe, expect, it } from 'vitest';
import type { Send } from '#shared/http';
import { UpstreamError } from '#shared/kernel';
import { openAccount, openOwnRecords, TokenRefused } from '../../../../infra/local/rehearsal/account.ts';
import { HUBSPOT_STEPS } from '../../../../infra/local/rehearsal/assumptions.ts';
import { standInRehearsal } from '../../../../infra/local/rehearsal/open-rehearsal.ts';
import {
  cleanHubSpot,
  LeftBehind,
  type Rehearsal,
  rehearseHubSpot,
} from '../../../../infra/local/rehearsal/rehearse-hubspot.ts';
import type { SandboxSettings } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { STRIDE } from '../../../harness/repeated.ts';

/** Without webhooks, whose waiting adds nothing here. */
const STEPS = HUBSPOT_STEPS.filter(({ name }) => !name.startsWith('webhooks'));

type Sandbox = ReturnType<typeof standInRehearsal>['sandbox'];

async function verb(sandbox: Sandbox, path: string, body?: object): Promise<Record<string, unknown>> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const answer = await sandbox.handle(new Request(`https://hubspot.example/_sandbox/${path}`, sent));
  return (await answer.json()) as Record<string, unknown>;
}

async function liveNames(sandbox: Sandbox): Promise<string[]> {
  const { records } = (await verb(sandbox, 'records')) as {
    records: { archived: boolean; properties: Record<string, string> }[];
  };
  return records
    .filter(({ archived }) => !archived)
    .map(({ properties }) => properties['email'] ?? properties['domain'] ?? '');
}

/** What becomes of the request with this number, and of those after it. */
type Fate = (send: Send, at: number) => Send;
type Answer = ReturnType<Send>;

class Gone extends Error {}
const gone = async (): Answer => {
  throw new Gone();
};
const answered =
  (status: number, body = '') =>
  async (): Answer => ({
    status,
    headers: {},
    receivedAtMs: 0,
    body,
  });
/** HubSpot does it, and the answer is lost. */
const lost =
  (error: Error) =>
  async (answer: () => Answer): Answer => {
    await answer();
    throw error;
  };

function fate(
  at: (answer: () => Answer) => Answer,
  after: (answer: () => Answer) => Answer = (answer) => answer(),
): Fate {
  return (send, number) => {
    let count = 0;
    return (request) => {
      count += 1;
      const answer = () => send(request);
      if (count < number) return answer();
      return count === number ? at(answer) : after(answer);
    };
  };
}

const TIMEOUT = new UpstreamError({ message: 'no answer', code: 'HTTP_TIMEOUT', retryable: true });
const KILLED = [fate(gone, gone), fate(lost(new Gone()), gone)];
const LOST = fate(lost(TIMEOUT));
const OUTAGE = fate(answered(502));
const refused = answered(401, '{"category":"EXPIRED_AUTHENTICATION"}');
const REFUSED = fate(refused, refused);

interface Struck {
  readonly one: ReturnType<typeof standInRehearsal>;
  readonly ended: unknown;
  /** Plays it again. @returns how it ended, and each verdict */
  again(progress?: Rehearsal['progress']): ReturnType<typeof played>;
}

async function played({ rehearsal }: Struck['one'], more: Partial<Rehearsal> = {}) {
  const ended = await rehearseHubSpot({ ...rehearsal, ...more }, STEPS).catch((error: unknown) => error);
  if (ended instanceof Error) return { ended, verdicts: [] };
  const { steps } = ended as Awaited<ReturnType<typeof rehearseHubSpot>>;
  const seen = steps.flatMap(({ observations }) => Object.values(observations));
  return { ended, verdicts: seen.map(({ verdict }) => verdict) };
}

let requests: Promise<number> | undefined;

async function countRequests(): Promise<number> {
  const one = standInRehearsal();
  let count = 0;
  const { access } = one.rehearsal;
  const send: Send = (request) => {
    count += 1;
    return access.send(request);
  };
  await played(one, { access: { ...access, send } });
  await one.end();
  return count;
}

const THEIRS = 'theirs@mail.example';

/** Strikes a rehearsal at a request, in an account with a record of somebody else; nothing but this record is left. */
async function strikeEverywhere(
  fates: readonly Fate[],
  look: (struck: Struck & { readonly verdicts: readonly string[] }) => Promise<void>,
  { strides = 1, settings = {} }: { strides?: number; settings?: Partial<SandboxSettings> } = {},
): Promise<void> {
  requests ??= countRequests();
  expect(await requests).toBeGreaterThan(60);
  for (let at = 2, nth = 0; at <= (await requests); at += strides * STRIDE, nth += 1) {
    const one = standInRehearsal(settings);
    const properties = { email: THEIRS, lastname: 'crm-enrichment rehearsal' };
    await verb(one.sandbox, 'create', { objectType: 'contact', properties });
    const { access } = one.rehearsal;
    const send = fates[nth % fates.length]?.(access.send, at) ?? access.send;
    const struck = await played(one, { access: { ...access, send } });
    const again: Struck['again'] = (progress) => played(one, progress && { progress });
    await look({ one, again, ...struck });
    expect({ at, live: await liveNames(one.sandbox) }).toEqual({ at, live: [THEIRS] });
    await one.end();
  }
}

describe('a rehearsal that is cut off at any request', () => {
  it('goes on with the steps that were not finished, if it was killed', () =>
    strikeEverywhere(KILLED, async ({ one, ended, again }) => {
      expect(ended).toBeInstanceOf(Gone);
      const finished = Object.keys(one.rehearsal.journal.read()?.steps ?? {});
      const names: string[] = [];
      const { verdicts } = await again((_, step) => {
        if (step) names.push(step.name);
      });
      expect(names).toEqual(STEPS.map(({ name }) => name).filter((name) => !finished.includes(name)));
      expect(verdicts.filter((verdict) => verdict !== 'holds')).toEqual([]);
    }));

  it('is cleaned by itself, also where the search finds new records late', () =>
    strikeEverywhere(KILLED, ({ one }) => cleanHubSpot(one.rehearsal).then(() => undefined), {
      settings: { searchDelayMs: 15_000 },
    }));

  it.each([
    ['the answer is lost', LOST],
    ['HubSpot has an outage', OUTAGE],
  ])('differs in nothing, and tells what is left, if %s once', (_, each) =>
    strikeEverywhere([each], async ({ one, ended, verdicts }) => {
      expect(verdicts).not.toContain('differs');
      if (ended instanceof LeftBehind) await cleanHubSpot(one.rehearsal);
      else expect(ended).not.toBeInstanceOf(Error);
    }),
  );

  it('ends when the token is refused, and continues with a new token at the same step', () =>
    strikeEverywhere(
      [REFUSED],
      async ({ ended, again }) => {
        expect(ended instanceof LeftBehind || ended instanceof TokenRefused).toBe(true);
        const { verdicts } = await again();
        expect(verdicts.filter((verdict) => verdict !== 'holds')).toEqual([]);
      },
      { strides: 3 },
    ));
});

it('a rehearsal that a person stops removes what it made before it ends', async () => {
  for (const step of ['batches', 'values', 'merge', 'erase']) {
    const { rehearsal, sandbox, end } = standInRehearsal();
    const stopped = new AbortController();
    let writes = 0;
    const send: Send = (request) => {
      if (/batch\/create$/.test(request.url) && ++writes === 2) stopped.abort(new Error('Ctrl-C'));
      return rehearsal.access.send(request);
    };
    const chosen = STEPS.filter(({ name }) => name === step);
    const access = { ...rehearsal.access, send };
    await rehearseHubSpot({ ...rehearsal, access, signal: stopped.signal }, chosen).catch(
      (error: Error) => error,
    );
    expect({ step, live: await liveNames(sandbox) }).toEqual({ step, live: [] });
    await end();
  }
});

it('what a rehearsal may write is a record that it made; any other id is refused before a request leaves', async () => {
  const { rehearsal, sandbox, end } = standInRehearsal();
  const { id } = await verb(sandbox, 'create', {
    objectType: 'contact',
    properties: { email: 'theirs@mail.example' },
  });
  const other = String(id);
  const account = openAccount(rehearsal.access);
  const records = openOwnRecords({ account, owned: [], log: { keep: () => undefined } }, 'run');
  const mine = await records.createOne('contacts', { email: records.address('mine') });
  const attempts = [
    () => records.update('contacts', [{ id: other, properties: { jobtitle: 'Potter' } }]),
    () => records.merge('contacts', { primary: mine, other }),
    () => records.eraseForPrivacy(other),
    () => records.archiveContact(other),
    () => records.associate({ contact: mine, company: other }),
    () => account.query('/crm/objects/2026-09/contacts/batch/archive', { inputs: [{ id: other }] }),
  ];
  for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow();
  expect(await liveNames(sandbox)).toContain('theirs@mail.example');
  await end();
});
