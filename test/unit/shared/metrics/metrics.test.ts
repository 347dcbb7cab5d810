import { afterEach, describe, expect, it, vi } from 'vitest';
import { gauges, type LossFacts, lossGauges, readWaitsSince } from '#inside/metrics/gauges.ts';
import { meterLogger } from '#inside/metrics/log-metrics.ts';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { createPowertoolsMetrics } from '#inside/metrics/telemetry.powertools.ts';
import type { WaitsFor } from '#inside/records/schemas.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { CreditLedger } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import {
  METRICS,
  type Metrics,
  measure,
  meterGateway,
  meterLedger,
  meterRecords,
  meterVendor,
  outcomeObserver,
} from '#shared/metrics';
import type { AskResult, Question } from '#shared/questions';
import { newRecordState, type RecordState, recordPlace, type YieldCount } from '#shared/records';
import { replacing } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import { createMemoryItems, itemKey } from '../../../harness/memory-items.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const QUESTION: Question = { operation: 'reverseEmail', by: { email: 'a@b.example' }, options: [] };
const ASKED = { question: QUESTION, purpose: 'live', notAfterMs: NOW_MS } as const;

function createMemoryMetrics(): Metrics & { emitted(): readonly Measurement[] } {
  const all: Measurement[] = [];
  return { emit: (measurements) => void all.push(...measurements), emitted: () => all };
}

function values(measurements: readonly Measurement[]) {
  return measurements.map(({ metric, value }) => [metric, value]);
}

it('the names are told apart, and have no id among their dimensions', () => {
  const definitions = Object.values(METRICS);
  expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  const dimensions = new Set<string>(definitions.flatMap((definition) => definition.dimensions));
  expect([...dimensions].sort()).toEqual(['budget', 'operation', 'outcome', 'purpose']);
});

it('log lines are written as they are, and counted', () => {
  const metrics = createMemoryMetrics();
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const logger = meterLogger({ info: log, warn: log, error: log }, metrics);
  logger.info('webhook-received', { eventCount: 7, queued: 3 });
  logger.warn('webhook-refused', { status: 401 });
  logger.warn('webhook-refused', { status: 413 });
  logger.warn('hubspot-unavailable');
  logger.warn('hubspot-unavailable', { code: 'HUBSPOT_FORBIDDEN' });
  logger.warn('hubspot-unavailable', { code: 'HUBSPOT_UNAUTHORIZED' });
  logger.warn('hubspot-unavailable', { code: 'HUBSPOT_DAILY_LIMIT' });
  logger.warn('webhook-refused', { status: 401, eventCount: 0 });
  logger.info('spend-reported', { status: 200 });
  expect(lines).toHaveLength(9);
  expect(lines[0]).toEqual(['webhook-received', { eventCount: 7, queued: 3 }]);
  expect(values(metrics.emitted())).toEqual([
    ['webhookEventsReceived', 7],
    ['webhookRecordsQueued', 3],
    ['webhookSignaturesRefused', 1],
    ['webhookBodiesRefused', 1],
    ['hubSpotUnavailable', 1],
    ['hubSpotUnavailable', 1],
    ['hubSpotUnavailable', 1],
    ['hubSpotUnavailable', 1],
    ['hubSpotDailyLeft', 0],
  ]);
});

describe('questions', () => {
  const answered = { questionKey: 'k', expiresAtMs: NOW_MS + 1 };
  const attempt = { questionKey: 'k', reservationId: 'k:1', credits: 3 };
  it.each([
    ['a stored answer', { ...answered, kind: 'no-match', credits: 0, askedAtMs: NOW_MS - 1 }, 1],
    ['a new answer', { ...answered, kind: 'no-match', credits: 1, askedAtMs: NOW_MS }, 0],
    ['a new answer that was free', { ...answered, kind: 'no-match', credits: 0, askedAtMs: NOW_MS }, 0],
    ['a doubt', { kind: 'doubt', questionKey: 'k', attempt, detail: '' }, 0],
  ] as const)('answered by %s', async (_, result: AskResult, hits) => {
    const metrics = createMemoryMetrics();
    const gateway = meterGateway(
      {
        ask: async () => result,
        look: async () => ({ stored: undefined, breakers: { doubtsInRow: 0 } }),
        chargeOf: async () => undefined,
        stored: async () => undefined,
        obstacle: async () => undefined,
      },
      { metrics, clock: { now: () => NOW_MS } },
    );
    expect(await gateway.ask(ASKED)).toBe(result);
    const hit = { metric: 'cacheHits', value: 1, dimensions: { operation: 'reverseEmail' } };
    expect(metrics.emitted()).toEqual(Array.from({ length: hits }, () => hit));
  });

  const report = { limit: 20, remaining: 5, resetAtMs: NOW_MS, resetInMs: 0, dated: true };
  const requests = ['vendorRequests', 1];
  const ENDS: readonly [string, CallResult, readonly unknown[]][] = [
    ['found', { kind: 'found', record: {}, results: 1, report }, [requests, ['vendorRateUsed', 75]]],
    ['429', { kind: 'declined', why: 'rate-limited', reason: '', report: undefined }, [requests]],
    ['unknown', { kind: 'unknown', reason: '' }, [requests]],
    ['not sent', { kind: 'not-sent', reason: '' }, []],
  ];

  it.each(ENDS)('that end as %s', async (_, result, expected) => {
    const metrics = createMemoryMetrics();
    await meterVendor({ ask: async () => result }, metrics).ask(QUESTION, { timeoutMs: 1 });
    expect(values(metrics.emitted())).toEqual(expected);
  });

  it.each([
    ['posted', 3],
    ['late', 3],
    ['pending', undefined],
    ['voided', undefined],
  ] as const)('booked as %s', async (kind, credits) => {
    const metrics = createMemoryMetrics();
    const entry = { kind, amountCredits: 3, operation: 'reverseEmail', purpose: 'refresh' };
    const ledger = { apply: async () => ({ kind: 'appended', entry }) } as unknown as CreditLedger;
    await meterLedger(ledger, metrics).apply({ kind: 'grant', id: 'x', amountCredits: 1, reason: '' });
    const dimensions = { operation: 'reverseEmail', purpose: 'refresh' };
    const spent = { metric: 'creditsSpent', value: 3, dimensions };
    expect(metrics.emitted()).toEqual(credits === undefined ? [] : [spent]);
  });
});

describe('records', () => {
  it('whose runs do not add up are told of when they are written, and only then', async () => {
    const metrics = createMemoryMetrics();
    const items = meterRecords(createMemoryItems<RecordState>(), metrics);
    const sound = newRecordState('contacts', '1');
    await items.write({ key: itemKey('a'), value: sound, expectedVersion: undefined });
    expect(metrics.emitted()).toEqual([]);
    const broken = { ...sound, runsOpened: 2 };
    await items.write({ key: itemKey('a'), value: broken, expectedVersion: undefined });
    expect(metrics.emitted()).toEqual([]);
    const known = await items.read(itemKey('a'));
    await items.write({ key: itemKey('a'), value: broken, ...replacing(known) });
    expect(metrics.emitted()).toEqual([measure('checksFailed', 2)]);
  });

  it('are counted by outcome when a run ends, and not when it waits', () => {
    const metrics = createMemoryMetrics();
    const runOutcome = { credits: 0, learned: {} };
    const record = { objectType: 'contacts', id: '1', written: [] } as const;
    const observer = outcomeObserver(metrics);
    observer.ended({
      ...record,
      runOutcome: { ...runOutcome, kind: 'outcome', outcome: 'unmatched', reason: { code: 'gone' } },
    });
    const later = { ...runOutcome, kind: 'deferred', reason: 'queued', untilMs: 1 } as const;
    observer.ended({ ...record, runOutcome: later });
    expect(metrics.emitted()).toEqual([
      { metric: 'outcomes', value: 1, dimensions: { outcome: 'unmatched' } },
    ]);
  });
});

describe('the gauges', () => {
  const budget = (name: string, limitCredits: number, usedCredits: number) => ({
    budget: name,
    limitCredits,
    usedCredits,
    leftCredits: limitCredits - usedCredits,
    resetsAtMs: NOW_MS,
  });
  const budgets = [
    budget('total/day', 100, 85),
    budget('refresh/month', 50, 50),
    budget('total/month', 500, 85),
  ];
  const input = { account: 'main', rows: [], newest: undefined, nowMs: NOW_MS, timeZone: 'UTC' };
  const calm = {
    report: buildReport({ ...input, budgets: budgets.slice(0, 1) }),
    breakers: { doubtsInRow: 0 },
    writesStopped: false,
    counted: {
      records: { 'in-turn-live': 3, 'waiting-live': 1 },
      reasons: {},
      sinceMs: { hubspot: NOW_MS - 5, refusal: NOW_MS - 9, ourselves: NOW_MS - 2 },
      atMs: NOW_MS - 1,
    },
    oldestLeadMs: 60_000,
    indexLagMs: 7,
    dearestCredits: 3,
    losses: {
      answers: {},
      waitsSinceMs: undefined,
      brought: [],
      isShadow: false,
      missAlarmCredits: 20,
      unreported: 2,
    },
  };

  it('tell how things stand, and nothing of what is not known', () => {
    expect(values(gauges(calm))).toEqual([
      ['budgetLeft', 15],
      ['budgetUsed', 85],
      ['doubtsOpen', 0],
      ['purchasesStopped', 0],
      ['spendingStopped', 0],
      ['hubSpotWritesStopped', 0],
      ['recordsWaiting', 4],
      ['oldestWaiting', 5],
      ['oldestLead', 60_000],
      ['nothingBought', 0],
      ['nothingEnriched', 0],
      ['recordsUnreported', 2],
    ]);
  });

  it('take the budget for everything that is used most; one for a purpose is there to be used up', () => {
    const told = gauges({ ...calm, report: buildReport({ ...input, budgets }) });
    expect(told).toContainEqual(measure('budgetUsed', 85));
    expect(told).toContainEqual({ metric: 'budgetLeft', value: 415, dimensions: { budget: 'total/month' } });
  });

  const key = { sinceMs: 0, keyHash: '' };
  const empty = (untilMs: number) => ({ outOfCredits: { priceCredits: 1, sinceMs: 0, untilMs } });

  it.each([
    ['a refused key', { keyRefused: { ...key, probeAtMs: NOW_MS - 1 } }, 'purchasesStopped', 1],
    [
      'a key that nobody has tried for long',
      { keyRefused: { ...key, probeAtMs: NOW_MS - 15 * MINUTE_MS } },
      'purchasesStopped',
      0,
    ],
    ['charges above the list', { overcharged: { sinceMs: NOW_MS } }, 'purchasesStopped', 1],
    ['doubts', { doubtsInRow: 3, doubtful: { sinceMs: NOW_MS } }, 'purchasesStopped', 1],
    ['an empty balance', empty(NOW_MS + 1), 'purchasesStopped', 1],
    ['a balance that was empty', empty(NOW_MS - 5 * MINUTE_MS), 'purchasesStopped', 0],
    ['a stop by a person', { stopped: { sinceMs: NOW_MS, reason: 'budget review' } }, 'spendingStopped', 1],
  ] as const)('show what is shut for as long as it is: %s', (_, shut, metric, value) => {
    expect(gauges({ ...calm, breakers: { doubtsInRow: 0, ...shut } })).toContainEqual(measure(metric, value));
  });

  it('show that writes are stopped', () => {
    expect(gauges({ ...calm, writesStopped: true })).toContainEqual(measure('hubSpotWritesStopped', 1));
  });

  it('let a lead wait for as long as the index lags, because a lead may wait unseen', () => {
    expect(gauges({ ...calm, indexLagMs: 600_000 })).toContainEqual(measure('oldestLead', 600_000));
  });

  it('call a budget used up from when it does not pay for every question: records wait for it then', () => {
    const used = (usedCredits: number) => {
      const report = buildReport({ ...input, budgets: [budget('total/day', 100, usedCredits)] });
      return gauges({ ...calm, report }).find(({ metric }) => metric === 'budgetUsed')?.value;
    };
    expect([used(97), used(98), used(100)]).toEqual([97, 100, 100]);
  });
});

describe('the gauges of losses', () => {
  const calm: LossFacts = {
    nowMs: NOW_MS,
    answers: {},
    waitsSinceMs: undefined,
    doubtsAtMs: [],
    isBudgetUsedUp: false,
    brought: [],
    missAlarmCredits: 20,
    isShadow: false,
    unreported: 0,
  };
  const value = (metric: string, facts: Partial<LossFacts>) =>
    lossGauges({ ...calm, ...facts }).find((one) => one.metric === metric)?.value;
  const ago = (minutes: number) => NOW_MS - minutes * 60_000;

  it.each([
    ['no record waits', { answers: { answeredAtMs: ago(900) } }, 0],
    ['a record has waited for 5 minutes', { answers: { answeredAtMs: ago(900) }, waitsSinceMs: ago(5) }, 5],
    ['the last purchase is newer', { answers: { answeredAtMs: ago(10) }, waitsSinceMs: ago(60) }, 10],
    ['nothing was ever bought', { waitsSinceMs: ago(60) }, 60],
    ['two requests in doubt', { answers: { answeredAtMs: ago(90) }, doubtsAtMs: [ago(70), ago(60)] }, 70],
    [
      'an answer after the first doubt',
      { answers: { answeredAtMs: ago(65) }, doubtsAtMs: [ago(70), ago(60)] },
      0,
    ],
    ['the budget is used up', { waitsSinceMs: ago(60), isBudgetUsedUp: true }, 0],
  ])('nothing is bought: %s', (_, facts, minutes) => {
    expect(value('nothingBought', facts)).toBe(minutes * 60_000);
  });

  it.each([
    ['there was a match', undefined, 0],
    ['they began an hour ago', { count: 50, credits: 19, sinceMs: ago(60) }, 0],
    ['they began 90 minutes ago', { count: 20, credits: 0, sinceMs: ago(90) }, 1],
    ['they are few', { count: 19, credits: 19, sinceMs: ago(120) }, 0],
    ['they have cost too much within minutes', { count: 20, credits: 20, sinceMs: ago(5) }, 1],
  ])('misses in a row: %s', (_, misses, found) => {
    expect(value('nothingEnriched', { answers: misses ? { misses } : {} })).toBe(found);
  });

  const runs = (kind: YieldCount['kind'], purpose: YieldCount['purpose'] = 'live'): YieldCount => {
    return { purpose, kind, runs: 5, fields: 0 };
  };
  it.each([
    [
      'new records without a match and with nothing to write count',
      [runs('unmatched'), runs('confirmed')],
      1,
    ],
    ['fewer than ten do not', [runs('unmatched')], 0],
    ['one enriched record ends it', [runs('unmatched'), runs('unmatched'), runs('filled', 'refresh')], 0],
    ['skipped records were not looked up', [runs('skipped'), runs('gone'), runs('skipped')], 0],
    [
      'refreshes and workflows often have nothing to gain',
      [runs('confirmed', 'refresh'), runs('confirmed', 'refresh')],
      0,
    ],
  ])('records that are not enriched: %s', (_, brought, found) => {
    expect(value('nothingEnriched', { brought })).toBe(found);
    expect(value('nothingEnriched', { brought, isShadow: true })).toBe(0);
  });
});

describe('the longest wait for a purchase', () => {
  const run = (sinceMinutes: number, whom: WaitsFor | undefined, purpose: Purpose = 'live') => {
    const waitsFor = whom && { whom, sinceMs: NOW_MS - sinceMinutes * 60_000 };
    return { id: 'r', purpose, openedAtMs: NOW_MS - 900 * 60_000, credits: 0, ...(waitsFor && { waitsFor }) };
  };
  const waiting = (id: string, ofRun: RecordState['run']): RecordState => ({
    ...newRecordState('contacts', id),
    run: ofRun,
    waiting: { reason: 'service-unreachable', untilMs: NOW_MS },
  });
  const since = async (states: readonly RecordState[], oldestLead?: RecordState) => {
    const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
    for (const value of states)
      await records.write({ key: `contacts#${value.id}`, value, expectedVersion: undefined });
    const sinceMs = await readWaitsSince(records, oldestLead);
    return sinceMs === undefined ? undefined : (NOW_MS - sinceMs) / 60_000;
  };

  it('counts records that wait for the data service, and no others', async () => {
    const others = [
      waiting('1', run(90, 'hubspot')),
      waiting('2', run(80, 'ourselves')),
      waiting('3', run(1, undefined)),
    ];
    expect(await since(others)).toBeUndefined();
    const own = [waiting('4', run(20, 'data-service')), waiting('5', run(30, 'data-service', 'import'))];
    expect(await since([...others, ...own])).toBe(30);
  });

  it('counts a record that a worker tries once more', async () => {
    const claim = { owner: 'w', sinceMs: NOW_MS, untilMs: NOW_MS + 60_000 };
    const { waiting: _, ...tried } = waiting('1', run(20, 'data-service'));
    expect(await since([{ ...tried, claim }])).toBe(20);
  });

  it('counts a fresh lead from when its run opened', async () => {
    expect(await since([waiting('1', run(20, 'data-service'))], waiting('2', run(0, undefined)))).toBe(900);
  });
});

describe('the embedded metric format', () => {
  afterEach(() => vi.restoreAllMocks());

  it('has a line for each set of dimensions, once flushed', () => {
    const lines: Record<string, unknown>[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(JSON.parse(String(text)));
      return true;
    });
    const metrics = createPowertoolsMetrics('a-stack');
    metrics.emit([measure('vendorRequests', 1), measure('vendorRequests', 1), measure('vendorRateUsed', 75)]);
    metrics.emit([{ metric: 'outcomes', value: 1, dimensions: { outcome: 'enriched' } }]);
    expect(lines).toEqual([]);
    metrics.flush();
    metrics.flush();
    expect(lines).toMatchObject([
      { service: 'a-stack', VendorRequests: [1, 1], VendorRateUsed: 75 },
      { service: 'a-stack', outcome: 'enriched', Outcomes: 1 },
    ]);
    expect(lines.map((line) => line['_aws'])).toMatchObject([
      {
        CloudWatchMetrics: [
          {
            Namespace: 'CrmEnrichment',
            Dimensions: [['service']],
            Metrics: [
              { Name: 'VendorRequests', Unit: 'Count' },
              { Name: 'VendorRateUsed', Unit: 'Percent' },
            ],
          },
        ],
      },
      { CloudWatchMetrics: [{ Dimensions: [['service', 'outcome']], Metrics: [{ Name: 'Outcomes' }] }] },
    ]);
  });
});
