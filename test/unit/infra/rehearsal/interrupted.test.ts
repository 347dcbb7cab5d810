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

/** Whose process dies at a request: before it leaves, or after HubSpot did it; the answer is lost in both cases. */
function dyingAt(send: Send, last: number, when: 'before' | 'after'): Send {
  let count = 0;
  return async (request) => {
    count += 1;
    if (count > last || (count === last && when === 'before')) throw new Gone();
    const answer = await send(request);
    if (count === last) throw new Gone();
    return answer;
  };
}

async function countRequests(): Promise<number> {
  const { rehearsal, end } = standInRehearsal();
  let count = 0;
  const send: Send = (request) => {
    count += 1;
    return rehearsal.access.send(request);
  };
  await rehearseHubSpot({ ...rehearsal, access: { ...rehearsal.access, send } }, STEPS);
  await end();
  return count;
}

class Gone extends Error {}

async function killed(rehearsal: Rehearsal, last: number, when: 'before' | 'after'): Promise<void> {
  const send = dyingAt(rehearsal.access.send, last, when);
  const dying = { ...rehearsal, access: { ...rehearsal.access, send } };
  await expect(rehearseHubSpot(dying, STEPS)).rejects.toThrow(Gone);
}

describe('a rehearsal that is killed at any request', () => {
  const everyKill = async (
    settings: Partial<SandboxSettings>,
    look: (
      killedOne: ReturnType<typeof standInRehearsal>,
      place: string,
      wasFinished: readonly string[],
    ) => Promise<void>,
  ) => {
    const requests = await countRequests();
    expect(requests).toBeGreaterThan(60);
    for (let last = 2; last <= requests; last += STRIDE) {
      const when = (last / STRIDE) % 2 < 1 ? 'before' : 'after';
      const one = standInRehearsal(settings);
      await verb(one.sandbox, 'create', {
        objectType: 'contact',
        properties: { email: 'theirs@mail.example', lastname: 'crm-enrichment rehearsal' },
      });
      await killed(one.rehearsal, last, when);
      await look(one, `${when} request ${last}`, Object.keys(one.rehearsal.journal.read()?.steps ?? {}));
      await one.end();
    }
  };

  it('goes on with the steps that were not finished, and leaves only what others made', async () => {
    await everyKill({}, async ({ rehearsal, sandbox }, place, finished) => {
      const played: string[] = [];
      const progress = (_: number, step: { name: string } | undefined) => {
        if (step) played.push(step.name);
      };
      const { steps } = await rehearseHubSpot({ ...rehearsal, progress }, STEPS);
      const expected = STEPS.map(({ name }) => name).filter((name) => !finished.includes(name));
      expect({ place, played }).toEqual({ place, played: expected });
      const unseen = steps.flatMap(({ observations }) =>
        Object.entries(observations).filter(([, { verdict }]) => verdict !== 'holds'),
      );
      expect({ place, unseen }).toEqual({ place, unseen: [] });
      expect({ place, live: await liveNames(sandbox) }).toEqual({ place, live: ['theirs@mail.example'] });
    });
  }, 60_000);

  it('is cleaned by itself, also where the search finds new records late', async () => {
    await everyKill({ searchDelayMs: 15_000 }, async ({ rehearsal, sandbox }, place) => {
      await cleanHubSpot(rehearsal);
      expect({ place, live: await liveNames(sandbox) }).toEqual({ place, live: ['theirs@mail.example'] });
    });
  }, 60_000);
});

describe('a rehearsal whose requests fail', () => {
  const outcomeOf = async (one: ReturnType<typeof standInRehearsal>, send: Send) => {
    const { rehearsal } = one;
    const access = { ...rehearsal.access, send };
    const ended = await rehearseHubSpot({ ...rehearsal, access }, STEPS).catch((error: unknown) => error);
    const verdicts =
      ended instanceof Error
        ? []
        : (ended as Awaited<ReturnType<typeof rehearseHubSpot>>).steps.flatMap(({ observations }) =>
            Object.values(observations).map(({ verdict }) => verdict),
          );
    return { ended, verdicts };
  };
  const failingOnce = (send: Send, at: number, fail: (send: Send) => Send): Send => {
    let count = 0;
    return (request) => (++count === at ? fail(send)(request) : send(request));
  };
  const LOST = new UpstreamError({ message: 'no answer', code: 'HTTP_TIMEOUT', retryable: true });

  it.each([
    {
      fault: 'the answer is lost',
      fail:
        (send: Send): Send =>
        async (request) => {
          await send(request);
          throw LOST;
        },
    },
    {
      fault: 'HubSpot has an outage',
      fail: (): Send => async () => ({ status: 502, headers: {}, body: '', receivedAtMs: 0 }),
    },
  ])('$fault once: nothing differs for it, and nothing is left that is not told', async ({ fail }) => {
    const requests = await countRequests();
    for (let at = 1; at <= requests; at += STRIDE) {
      const one = standInRehearsal();
      const { ended, verdicts } = await outcomeOf(one, failingOnce(one.rehearsal.access.send, at, fail));
      expect({ at, verdicts }).toEqual({ at, verdicts: verdicts.filter((each) => each !== 'differs') });
      if (ended instanceof LeftBehind) await cleanHubSpot(one.rehearsal);
      else expect({ at, ended }).not.toEqual({ at, ended: expect.any(Error) });
      expect({ at, live: await liveNames(one.sandbox) }).toEqual({ at, live: [] });
      await one.end();
    }
  });

  it('ends when the token is refused, and continues with a new token at the same step', async () => {
    const requests = await countRequests();
    const refused: Send = async () => ({
      status: 401,
      headers: {},
      receivedAtMs: 0,
      body: '{"category":"EXPIRED_AUTHENTICATION"}',
    });
    for (let last = 1; last <= requests; last += 3 * STRIDE) {
      const one = standInRehearsal();
      let count = 0;
      const { ended } = await outcomeOf(one, (request) =>
        ++count >= last ? refused(request) : one.rehearsal.access.send(request),
      );
      const isTold = ended instanceof LeftBehind || ended instanceof TokenRefused;
      expect({ last, isTold }).toEqual({ last, isTold: true });
      const { verdicts } = await outcomeOf(one, one.rehearsal.access.send);
      expect({ last, unlike: verdicts.filter((each) => each !== 'holds') }).toEqual({ last, unlike: [] });
      expect({ last, live: await liveNames(one.sandbox) }).toEqual({ last, live: [] });
      await one.end();
    }
  });
});

describe('a rehearsal that a person stops', () => {
  it('removes what it made before it ends', async () => {
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
});

describe('what a rehearsal may write', () => {
  it('is a record that it made; any other id is refused before a request leaves', async () => {
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
});
