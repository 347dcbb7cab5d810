import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOG_FIELDS } from '#inside/kernel/logger.ts';
import { signWebhook } from '#shared/hubspot';
import { type Bundle, bundleAll, FUNCTION_ENTRIES } from '../../harness/bundle.ts';
import { hasDynamoEngine } from '../../harness/dynamo-engine.ts';
import { type LambdaProcess, startLambda } from '../../harness/lambda.ts';
import {
  CLIENT_SECRET,
  ENVIRONMENT,
  PUBLIC_URL,
  SERVICE_NAME,
  type Surroundings,
  startSecretKeeper,
  startSurroundings,
} from '../../harness/lambda-surroundings.ts';
import { type Outside, startOutside } from './outside.ts';

type FunctionName = keyof typeof FUNCTION_ENTRIES;

let folder: string;
let bundles: Record<FunctionName, Bundle>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  bundles = await bundleAll({ entries: FUNCTION_ENTRIES, folder });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(['dynamodb', 'zod/v4/classic'])('the bundle of receive-webhook has nothing of %s', (name) => {
  expect(bundles['receive-webhook'].modules.filter((path) => path.includes(name))).toEqual([]);
  expect(bundles['enrich-records'].modules.some((path) => path.includes(name))).toBe(true);
});

describe('a bundle', () => {
  it.each(['receive-webhook', 'refresh-stale', 'report-spend'] as const)(
    'of %s has nothing of the two vendors, and none of the long lists',
    (name) => {
      const vendors = /undici|@hubspot|data-service\/client|libphonenumber|tldts|email-providers/;
      expect(bundles[name].modules.filter((path) => vendors.test(path))).toEqual([]);
    },
  );

  it("of serve-hubspot has no list of mail providers: it guesses nobody's company", () => {
    expect(bundles['serve-hubspot'].modules.filter((path) => path.includes('email-providers'))).toEqual([]);
    expect(bundles['enrich-records'].modules.some((path) => path.includes('email-providers'))).toBe(true);
  });

  it.each(['refresh-stale', 'report-spend'] as const)('of %s reads no secret', (name) => {
    expect(bundles[name].modules.filter((path) => /secrets/.test(path))).toEqual([]);
  });

  it('of reconcile asks the data service nothing', () => {
    const asking = /data-service\/client|questions\/gateway|rate-limiter\/(?:slots|rate-limiter)/;
    expect(bundles.reconcile.modules.filter((path) => asking.test(path))).toEqual([]);
    expect(bundles['enrich-records'].modules.some((path) => asking.test(path))).toBe(true);
  });

  // A quarter above the size of today: a package that comes in by mistake is noticed, a line of code is not.
  it.each([
    ['receive-webhook', 394],
    ['report-spend', 629],
    ['refresh-stale', 473],
    ['reconcile', 1_771],
    ['enrich-records', 1_839],
    ['serve-hubspot', 1_344],
  ] as const)('of %s has under %i KB', (name, limit) => {
    expect(bundles[name].bytes).toBeLessThan(limit * 1_000);
  });
});

describe('a cold start', () => {
  it.each(Object.keys(FUNCTION_ENTRIES) as FunctionName[])(
    'of %s needs only its environment',
    async (name) => {
      const lambda = await startLambda(bundles[name].file, ENVIRONMENT);
      expect(lambda.lines()).toEqual([]);
      await lambda.end();
    },
  );

  it('names each variable that is wrong or missing', async () => {
    const { LIVE_QUEUE_URL: _, ...rest } = ENVIRONMENT;
    const env = { ...rest, PUBLIC_URL: 'no address', SECRET_PREFIX: '' };
    const error = await startLambda(bundles['receive-webhook'].file, env).catch(String);
    for (const name of ['LIVE_QUEUE_URL', 'SECRET_PREFIX', 'PUBLIC_URL']) expect(error).toContain(name);
  });

  it('says what of the policy is wrong', async () => {
    // Beside the bundle, as on AWS.
    await writeFile(join(folder, 'policy.json'), '{"timeZone":"Middle/Earth"}');
    const start = (POLICY_FILE: string) =>
      startLambda(bundles['enrich-records'].file, { ...ENVIRONMENT, POLICY_FILE });
    await expect(start('policy.json')).rejects.toThrow(/policy\.json.*timeZone/s);
    await expect(start('none.json')).rejects.toThrow(/none\.json.*ENOENT/);
  });
});

describe.skipIf(!hasDynamoEngine)('the functions together', () => {
  let surroundings: Surroundings;
  let outside: Outside;
  const running: LambdaProcess[] = [];

  beforeAll(async () => {
    [surroundings, outside] = await Promise.all([startSurroundings(), startOutside()]);
  });

  afterAll(async () => {
    await Promise.all(running.map((lambda) => lambda.end()));
    await outside.close();
    await surroundings.close();
  });

  async function start(name: FunctionName, more: Readonly<Record<string, string>> = {}) {
    const env = { ...surroundings.env, ...outside.env, ...more };
    const lambda = await startLambda(bundles[name].file, env);
    running.push(lambda);
    return lambda;
  }

  it('take a new contact from the webhook to HubSpot, the books and the metrics', async () => {
    const { id } = await outside.createContact();
    const receiver = await start('receive-webhook');
    const received = await receiver.invoke(creationOf(id));
    expect(received).toMatchObject({ result: { statusCode: 200 } });
    expect(metricsOf(receiver)).toMatchObject({ WebhookEventsReceived: [1], WebhookRecordsQueued: [1] });

    const worker = await start('enrich-records');
    const worked = await worker.invoke(await batch());
    expect(worked).toEqual({ result: { batchItemFailures: [] } });
    expect(await outside.propertiesOf(id)).toMatchObject({
      enrichment_status: 'enriched',
      enrichment_credits: '3',
    });
    expect(metricsOf(worker)).toMatchObject({ CreditsSpent: [3], Outcomes: [1], VendorRequests: [1] });
    expect(onlyAllowed(worker)).toBe(true);

    const reconciler = await start('reconcile');
    expect(await reconciler.invoke({})).toMatchObject({ result: { requeued: 0 } });
    expect(metricsOf(reconciler)).toMatchObject({
      BudgetLeft: [997],
      BudgetUsed: [expect.closeTo(0.3)],
      DoubtsOpen: [0],
      HubSpotWritesStopped: [0],
      // Of the ledger, and of all records, because the day's audit is due.
      ChecksFailed: [0, 0],
      PurchasesStopped: [0],
    });

    const reporter = await start('report-spend');
    const asked = { rawPath: '/spend.json', requestContext: { http: { method: 'GET' } } };
    expect(await reporter.invoke(asked)).toMatchObject({ result: { statusCode: 200 } });
    const shown = await reporter.invoke({ widgetContext: { theme: 'dark' } });
    expect(shown.result).toMatch(/data-figure="spent-today"[^\n]*>3 <small>of 1,000</);
  });

  it('read their secrets once, however many events come, and refuse what it did not sign', async () => {
    const before = surroundings.secretReads().length;
    const receiver = await start('receive-webhook');
    const forged = { ...creationOf('1'), body: '[{}]' };
    expect(await receiver.invoke(forged)).toMatchObject({ result: { statusCode: 401 } });
    expect(await receiver.invoke(forged)).toMatchObject({ result: { statusCode: 401 } });
    // What `doctor` delivers is refused as well, and no reason for an alarm.
    const empty = { ...forged, body: '[]' };
    expect(await receiver.invoke(empty)).toMatchObject({ result: { statusCode: 401 } });
    expect(surroundings.secretReads().slice(before)).toEqual(['/a-stack/hubspot-client-secret']);
    expect(receiver.lines().filter((line) => !('_aws' in line))).toMatchObject([
      { event: 'webhook-refused', awsRequestId: 'request-1', coldStart: true, service: SERVICE_NAME },
      { event: 'webhook-refused', awsRequestId: 'request-2', coldStart: false, service: SERVICE_NAME },
      { event: 'webhook-refused', awsRequestId: 'request-3', eventCount: 0 },
    ]);
    expect(metricsOf(receiver)).toEqual({ WebhookSignaturesRefused: [1, 1] });
  });

  it("are in nobody's way while the keys are missing: the scheduled run says so and ends well", async () => {
    const installationSecret = 'an installation secret of a test';
    const keeper = await startSecretKeeper({ installationSecret });
    const reconciler = await start('reconcile', { AWS_ENDPOINT_URL_SSM: keeper.url });
    expect(await reconciler.invoke({})).toEqual({ result: null });
    const names = ['hubspot-access-token', 'alert-webhook-url', 'installation-secret'];
    expect(keeper.reads()).toEqual(names.map((name) => `/a-stack/${name}`));
    expect(metricsOf(reconciler)).toEqual({ KeysMissing: [1] });
    const reason = expect.stringContaining('hubSpotAccessToken');
    expect(reconciler.lines()).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'keys-missing', reason }),
    );
    await keeper.close();
  });

  /** What Lambda's event source hands over. */
  async function batch() {
    const { sqs, queueUrls } = surroundings.queues;
    const request = new ReceiveMessageCommand({ QueueUrl: queueUrls.live, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await sqs.send(request);
    return { Records: Messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body })) };
  }
});

/** An API Gateway event (payload 2.0) with one signed event of HubSpot's. */
function creationOf(id: string) {
  const body = JSON.stringify([
    {
      eventId: 1,
      subscriptionId: 12,
      portalId: 24_170_001,
      appId: 54_321,
      occurredAt: Date.now(),
      subscriptionType: 'object.creation',
      attemptNumber: 0,
      objectId: Number(id),
      objectTypeId: '0-1',
      changeSource: 'CRM_UI',
      changeFlag: 'CREATED',
    },
  ]);
  const signed = signWebhook({
    method: 'POST',
    publicUrl: PUBLIC_URL,
    rawBody: body,
    clientSecret: CLIENT_SECRET,
    timestampMs: Date.now(),
  });
  const headers = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    version: '2.0',
    rawPath: '/hubspot',
    requestContext: { http: { method: 'POST' } },
    headers: Object.fromEntries(headers),
    body,
    isBase64Encoded: false,
  };
}

/** Every metric that was written, by name. */
function metricsOf(lambda: LambdaProcess): Readonly<Record<string, readonly unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const line of lambda.lines()) {
    if (!('_aws' in line)) continue;
    const { CloudWatchMetrics } = line['_aws'] as {
      CloudWatchMetrics: { Namespace: string; Metrics: { Name: string }[] }[];
    };
    for (const { Name } of CloudWatchMetrics.flatMap(({ Metrics }) => Metrics))
      found[Name] = [...(found[Name] ?? []), ...[line[Name]].flat()];
  }
  return found;
}

function onlyAllowed(lambda: LambdaProcess): boolean {
  const allowed: ReadonlySet<string> = new Set(['time', 'level', 'event', ...LOG_FIELDS]);
  const logged = lambda.lines().filter((line) => !('_aws' in line));
  return logged.length > 0 && logged.every((line) => Object.keys(line).every((key) => allowed.has(key)));
}
