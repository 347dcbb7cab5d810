import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretName } from '#inside/secrets/names.ts';
import { ConfigurationError } from '../../../../infra/aws/configuration.ts';
import { signedCall } from '../../../../infra/aws/deploy/signed-call.ts';
import { dataStackName, secretPrefix, tableName } from '../../../../infra/aws/names.ts';
import { StepStopped } from '../../../../infra/local/rehearsal/account.ts';
import type { OwnStack } from '../../../../infra/local/rehearsal/aws/aws-stage.ts';
import { AWS_STEPS } from '../../../../infra/local/rehearsal/aws/aws-steps.ts';
import {
  type AwsRehearsal,
  cleanAws,
  rehearseAws,
} from '../../../../infra/local/rehearsal/aws/rehearse-aws.ts';
import { journalInMemory } from '../../../../infra/local/rehearsal/journal-file.ts';
import { LeftBehind } from '../../../../infra/local/rehearsal/play-steps.ts';
import { SettingsError } from '../../../../infra/local/settings.ts';
import { createManualClock } from '../../../../infra/local/virtual/manual-clock.ts';
import { type Served, serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { accountAnswer, playedAccount } from '../../../infra/control-plane.ts';

/** Requests and parts of commands until the removal. */
const BEFORE_REMOVAL = 20;
const THEIRS = 'crm-rehearsal-of-others';
let served: Served;
let environment: NodeJS.ProcessEnv;
let play: Play;

beforeAll(async () => {
  environment = { ...process.env };
  served = await serveSandbox({ handle: (request) => play.answer(request), port: 0 });
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: served.url,
  });
});
afterAll(async () => {
  await served.close();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

type Play = ReturnType<typeof openPlay>;

/** An account that holds an installation of others, and a rehearsal in it. Each request and each part of a command counts. */
function openPlay() {
  const account = playedAccount();
  const logs = new Set<string>();
  let calls = 0;
  let isGone = false;
  let onCall: (count: number) => void = () => undefined;
  const create = (name: string) => {
    account.stacks.set(dataStackName(name), 'CREATE_COMPLETE');
    account.tables.add(tableName(name, 'ledger'));
    account.secrets.set(secretName(secretPrefix(name), 'hubSpotAccessToken'), '{}');
  };
  const finish = (name: string) => {
    account.stacks.set(name, 'CREATE_COMPLETE');
    const keys = ['ReconcileFunction', 'EnrichRecordsFunction', 'WebhookUrl', 'AlarmTopic'];
    account.outputs.set(name, Object.fromEntries(keys.map((key) => [key, 'of-the-play'])));
    logs.add(`/aws/lambda/${name}-worker`);
  };
  const count = () => {
    calls += 1;
    onCall(calls);
    return !isGone;
  };
  create(THEIRS);
  finish(THEIRS);
  const open = (name: string): OwnStack => {
    const part = (signal: AbortSignal | undefined) => {
      if (!count()) throw new StepStopped('the command ended with code 1');
      signal?.throwIfAborted();
    };
    return {
      name,
      script: async (script, { signal, flags = [] } = {}) => {
        part(signal);
        if (script === 'deploy' && mark !== name && mark !== '' && !flags.includes('--second-installation'))
          throw new StepStopped('another installation has its mark in HubSpot');
        if (script === 'deploy') mark = name;
        if (script === 'deploy') create(name);
        if (script === 'destroy') account.stacks.delete(name);
        part(signal);
        if (script === 'deploy') finish(name);
        if (script === 'destroy') account.stacks.delete(dataStackName(name));
        if (script === 'destroy') account.tables.delete(tableName(name, 'ledger'));
        return script === 'back' ? 'Forward: npm run back -- --to another' : '';
      },
      cli: async () => ({}),
      calls: () => ['cloudformation:DescribeStacks'],
    };
  };
  let ids = 0;
  let mark = '';
  const rehearsal: AwsRehearsal = {
    accountId: '123456789012',
    region: 'eu-central-1',
    journal: journalInMemory(),
    dataFolder: '/nowhere',
    clock: createManualClock({ startMs: 0, autoAdvance: true }),
    newId: () => `played-${++ids}`,
    isReal: false,
    services: undefined,
    open,
    say: () => undefined,
  };
  return {
    rehearsal,
    answer: async (request: Request) =>
      count() ? ((await otherAnswer(logs, request)) ?? accountAnswer(account, request)) : expired(request),
    at: (last: number, act: () => void) => {
      onCall = (now) => {
        if (now === last) act();
      };
    },
    goAway: () => {
      isGone = true;
    },
    comeBack: () => {
      isGone = false;
    },
    calls: () => calls,
    holds: () => [account.stacks.keys(), account.tables, account.secrets.keys(), logs].map((all) => [...all]),
  };
}

/** CloudWatch and its logs; nothing where the request is for another service. */
async function otherAnswer(logs: Set<string>, request: Request): Promise<Response | undefined> {
  const text = await request.clone().text();
  const [service = '', call = ''] = (request.headers.get('x-amz-target') ?? '').split('.');
  if (service.startsWith('Logs')) {
    const { logGroupName, logGroupNamePrefix } = JSON.parse(text);
    if (call === 'DeleteLogGroup') logs.delete(logGroupName);
    const names = [...logs].filter((name) => name.startsWith(logGroupNamePrefix));
    return Response.json({ logGroups: names.map((name) => ({ logGroupName: name })) });
  }
  if (text.includes('Action=DescribeAlarms&')) return new Response('<AlarmName>one</AlarmName>');
  return /Action=(?:SetAlarmState|DescribeAlarmHistory)/.test(text) ? new Response('') : undefined;
}

/** As each service says that a session has ended. */
function expired(request: Request): Response {
  if (request.headers.get('x-amz-target'))
    return Response.json({ __type: 'ExpiredTokenException', message: 'expired' }, { status: 400 });
  const error =
    '<Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>It is expired.</Message></Error>';
  const headers = { 'content-type': 'text/xml' };
  return new Response(`<ErrorResponse>${error}</ErrorResponse>`, { headers, status: 403 });
}

/** All that it observes where nothing happens to it, and how many calls that takes. */
async function undisturbed() {
  play = openPlay();
  const before = play.holds();
  const { steps } = await rehearseAws(play.rehearsal, AWS_STEPS);
  expect(play.holds()).toEqual(before);
  return { before, observations: steps.map((step) => step.observations), calls: play.calls() };
}

/** Every second one, and fewer of the removal, which looks at each secret by itself. */
function callsToStopAt(calls: number, first: number): readonly number[] {
  const all = Array.from({ length: calls }, (_, index) => index + 1);
  return all.filter((at) => at % (at <= BEFORE_REMOVAL ? 2 : 14) === first);
}

describe('a rehearsal on AWS that is interrupted at a call', () => {
  it('loses its access: rehearse clean, or the next run, removes its stack and continues', async () => {
    const { before, observations, calls } = await undisturbed();
    expect(calls).toBeGreaterThan(60);
    for (const [index, last] of callsToStopAt(calls, 0).entries()) {
      play = openPlay();
      play.at(last, play.goAway);
      const { rehearsal, comeBack, holds } = play;
      const ended = await rehearseAws(rehearsal, AWS_STEPS).catch((error: unknown) => error);
      expect({ last, ended }).toEqual({ last, ended: expect.any(LeftBehind) });
      comeBack();
      if (index % 2 === 0) {
        expect(await cleanAws(rehearsal)).toMatch(/^crm-rehearsal-played/);
      } else {
        const { steps } = await rehearseAws(rehearsal, AWS_STEPS);
        const seen = steps.map((step) => step.observations);
        expect({ last, seen }).toEqual({ last, seen: observations });
      }
      expect({ last, holds: holds() }).toEqual({ last, holds: before });
    }
  });

  it('is ended by Ctrl-C: it removes its stack first', async () => {
    const { before, calls } = await undisturbed();
    const isStopped: boolean[] = [];
    for (const last of callsToStopAt(calls, 1)) {
      play = openPlay();
      const stop = new AbortController();
      const stopped = new Error('Ctrl-C');
      play.at(last, () => stop.abort(stopped));
      const { rehearsal, holds } = play;
      const ended = await rehearseAws({ ...rehearsal, signal: stop.signal }, AWS_STEPS).catch(
        (error: unknown) => error,
      );
      isStopped.push(ended === stopped);
      expect({ last, holds: holds() }).toEqual({ last, holds: before });
      expect(rehearsal.journal.read()?.isThere ?? false).toBe(false);
    }
    // Where the removal has begun, it ends as it would.
    const removal = isStopped.indexOf(false);
    expect(removal).toBeGreaterThan(5);
    expect(isStopped.slice(removal)).not.toContain(true);
  });
});

describe('a call of AWS', () => {
  it('that reaches no server is no mistake of ours', async () => {
    process.env['AWS_ENDPOINT_URL'] = 'http://127.0.0.1:1';
    const asked = signedCall({ service: 'sts', body: '' });
    await expect(asked).rejects.toBeInstanceOf(ConfigurationError);
    await expect(asked).rejects.toThrow('AWS_ENDPOINT_URL');
    process.env['AWS_ENDPOINT_URL'] = served.url;
  });

  it('of a region that does not exist names the setting', async () => {
    delete process.env['AWS_ENDPOINT_URL'];
    const { fetch } = globalThis;
    globalThis.fetch = async (url) => {
      throw new TypeError('fetch failed', {
        cause: new Error(`getaddrinfo ENOTFOUND ${new URL(String(url)).host}`),
      });
    };
    const asked = signedCall({ service: 'sts', body: '' });
    await expect(asked).rejects.toThrow(/sts\.eu-central-1.*AWS_REGION/);
    globalThis.fetch = fetch;
    process.env['AWS_ENDPOINT_URL'] = served.url;
  });
});

describe('rehearse clean on AWS', () => {
  it('touches nothing in another account or region than that of the rehearsal', async () => {
    play = openPlay();
    play.at(20, play.goAway);
    const { rehearsal, comeBack, holds } = play;
    await expect(rehearseAws(rehearsal, AWS_STEPS)).rejects.toBeInstanceOf(LeftBehind);
    comeBack();
    const left = holds();
    for (const other of [{ region: 'eu-west-1' }, { accountId: '210987654321' }])
      await expect(cleanAws({ ...rehearsal, ...other })).rejects.toBeInstanceOf(SettingsError);
    expect(holds()).toEqual(left);
  });
});
