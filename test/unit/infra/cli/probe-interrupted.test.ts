import { expect, it, onTestFinished } from 'vitest';
import type { HttpRequest } from '#shared/http';
import { HOUR_MS } from '#shared/kernel';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { STAND_IN_URLS, startStandIns } from '../../../harness/console.ts';

/** A real data service, which the stand-in plays, and a machine that has never used it. */
async function openService() {
  const requests: string[] = [];
  const halts = new Map<number, () => unknown>();
  const onRequest = async ({ url, body }: HttpRequest) => {
    requests.push(`${url} ${body}`);
    await halts.get(requests.length)?.();
  };
  const standIns = await startStandIns({}, { onRequest, hasWorkers: false });
  onTestFinished(standIns.stop);
  const env = {
    DATA_SERVICE_API_KEY: 'sandbox-key',
    HUBSPOT_ACCESS_TOKEN: 'token',
    HUBSPOT_CLIENT_SECRET: 'secret',
    CREDITS_PER_DAY: '10',
    DATA_SERVICE_BASE_URL: STAND_IN_URLS.dataService,
    HUBSPOT_BASE_URL: STAND_IN_URLS.hubSpot,
  };
  const [domain = ''] = standIns.dataService.world.companies[0]?.domains ?? [];
  const words = ['probe', '--max-credits', '4', '--domain', domain, '--yes', '--json'];
  return {
    requests,
    set: standIns.setting,
    bill: standIns.bill,
    pass: standIns.clock.advance,
    probe: (other: object = {}, io: Parameters<typeof standIns.run>[1] = {}) =>
      standIns.run(words, { ...io, env: { ...env, ...other } }),
    run: (...others: string[]) => standIns.run([...others, '--json'], { env }),
    /** Acts just before the request with this number. */
    at: (number: number, act: () => unknown) => halts.set(number, act),
  };
}

type Report = {
  results: { assumption: string; verdict: string }[];
  doubts: { step: string; credits: number }[];
};

const booked = (lifetime: Record<'posted' | 'pending' | 'doubtful', number>) =>
  lifetime.posted + lifetime.pending + lifetime.doubtful;

it('a probe whose answer was lost asks the question again only after its doubt is resolved', async () => {
  const service = await openService();
  await service.set({ faults: [{ kind: 'reset-after', times: 1 }] });
  await service.probe();
  const { code, err, json } = await service.probe();
  expect(code).toBe(3);
  expect(err).toMatch(/ 1 credit.*doubts resolve [0-9a-f]{32} --charged\|--not-charged/);
  const { results, doubts } = json() as unknown as Report;
  expect(doubts).toEqual([{ step: 'miss', credits: 1 }]);
  const hidden = results.filter(({ verdict }) => verdict === 'not seen');
  expect(hidden.map(({ assumption }) => assumption)).toEqual(
    expect.arrayContaining(['miss-price', 'miss-words']),
  );
  expect(service.requests).toEqual([...new Set(service.requests)]);
  const { lifetime } = (await service.run('ledger', 'verify')).json() as { lifetime: never };
  expect(booked(lifetime)).toBeGreaterThanOrEqual(await service.bill());

  // A third probe repeats nothing. After the doubt is resolved, a probe asks this question only.
  const before = service.requests.length;
  expect((await service.probe()).code).toBe(3);
  expect(service.requests).toHaveLength(before);
  await service.pass(HOUR_MS);
  await service.run('doubts', 'resolve', '--all', '--charged', '--note', 'in the usage list', '--yes');
  expect((await service.probe()).code).toBe(0);
  expect(new Set(service.requests).size).toBe(4);
  expect(service.requests).toHaveLength(5);
});

it('a probe that is stopped books the sent question', async () => {
  const service = await openService();
  const stopping = new AbortController();
  const stopped = new CliError('stopped', 'Stopped.', { exit: EXIT.failed });
  service.at(1, () => stopping.abort(stopped));
  const { code, out } = await service.probe({}, { io: { signal: stopping.signal } });
  const { error } = JSON.parse(out) as { error: { code: string; message: string } };
  expect({ code, error }).toMatchObject({
    code: 1,
    error: { code: 'stopped', params: { bookedCredits: 1, doubtfulCredits: 0 } },
  });
  expect(error.message).toContain('probe --max-credits 4 --domain ');
  expect(await service.bill()).toBe(1);
  expect(service.requests).toHaveLength(1);
  const { lifetime } = (await service.run('ledger', 'verify')).json() as { lifetime: { posted: number } };
  expect(lifetime.posted).toBe(1);

  // The next probe pays for the remaining questions only.
  expect((await service.probe()).json()).toMatchObject({ credits: (await service.bill()) - 1, doubts: [] });
  expect(service.requests).toEqual([...new Set(service.requests)]);
});
