import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { HUBSPOT_ASSUMPTIONS, HUBSPOT_STEPS } from '../../../../infra/local/rehearsal/assumptions.ts';
import { standInRehearsal } from '../../../../infra/local/rehearsal/open-rehearsal.ts';
import { rehearseHubSpot } from '../../../../infra/local/rehearsal/rehearse-hubspot.ts';
import type { SandboxSettings } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { isThorough } from '../../../harness/repeated.ts';
import { TURNED } from './turned.ts';

const rehearsed = HUBSPOT_ASSUMPTIONS.filter(({ step }) => typeof step === 'string').map(({ id }) => id);

async function play(
  settings: Partial<SandboxSettings> = {},
  { say = (_line: string): void => undefined, chosen = HUBSPOT_STEPS } = {},
) {
  const { rehearsal, sandbox, end } = standInRehearsal(settings);
  try {
    const { steps } = await rehearseHubSpot({ ...rehearsal, say }, chosen);
    const observations = Object.assign({}, ...steps.map((step) => step.observations));
    const records = await allRecords(sandbox);
    const tookMs = Object.fromEntries(steps.map(({ step, tookMs: ms }) => [step, ms]));
    return {
      observations,
      tookMs,
      ids: records.map(({ id }) => id),
      live: records.filter((one) => !one.archived),
    };
  } finally {
    await end();
  }
}

type Sandbox = ReturnType<typeof standInRehearsal>['sandbox'];

async function allRecords(sandbox: Sandbox): Promise<{ id: string; archived: boolean }[]> {
  const answer = await sandbox.handle(new Request('https://hubspot.example/_sandbox/records'));
  const { records } = (await answer.json()) as { records: { id: string; archived: boolean }[] };
  return records;
}

function differing(observations: Record<string, { verdict: string }>): string[] {
  return Object.entries(observations)
    .filter(([, { verdict }]) => verdict === 'differs')
    .map(([id]) => id);
}

describe('a rehearsal against the stand-in', () => {
  it('sees every assumption that has a step, all of them hold, and nothing is left', async () => {
    const { observations, live } = await play();
    expect(Object.keys(observations).toSorted()).toEqual(rehearsed.toSorted());
    const other = Object.entries(observations).filter(
      ([, observation]) => (observation as { verdict: string }).verdict !== 'holds',
    );
    expect(other).toEqual([]);
    expect(live).toEqual([]);
  });

  it.each([
    { wrong: 'client secret', settings: { clientSecret: 'another-client-secret' } },
    { wrong: 'public address', settings: { webhookUrl: 'https://rehearsal.example/other' } },
  ])('does not blame HubSpot for a wrong $wrong', async ({ settings }) => {
    const { observations } = await play(settings);
    expect(differing(observations)).toEqual([]);
    expect(observations['webhook-signature']).toMatchObject({
      verdict: 'not seen',
      code: 'no-signature-fits',
    });
  });

  it('waits once for webhooks that never come, and says so', async () => {
    let said = 0;
    const say = () => {
      said += 1;
    };
    const { observations, tookMs } = await play(
      { subscriptions: { crmObjects: [], hubEvents: [] } },
      { say },
    );
    const late = ['webhooks', 'webhooks-of-merges', 'webhooks-of-deletions'].map((step) => tookMs[step] ?? 0);
    expect(late.map((ms) => Math.round(ms / MINUTE_MS))).toEqual([3, 0, 0]);
    expect(said).toBe(1);
    for (const id of ['webhook-of-merge', 'webhook-of-privacy-deletion', 'person-change-source'])
      expect(observations[id]).toMatchObject({ verdict: 'not seen', code: 'no-webhook-before' });
  });

  it('turns around at least 20 assumptions', () => {
    expect(Object.keys(TURNED).length).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.entries(TURNED))('names exactly %s where that differs', async (id, settings) => {
    const { step } = HUBSPOT_ASSUMPTIONS.find((each) => each.id === id) ?? {};
    // All steps at night; in a quick run the one that sees it.
    const chosen = HUBSPOT_STEPS.filter(({ name }) => isThorough || name === step);
    const { observations, live, ids } = await play(settings, { chosen });
    expect(differing(observations)).toEqual([id]);
    expect(live).toEqual([]);
    const told = JSON.stringify(observations);
    const secret = ['@', 'example.com', 'sandbox-', 'Potter', '24170001', '5187918', 'standin', ...ids];
    expect(secret.filter((each) => told.includes(each))).toEqual([]);
  });

  it.each(Object.entries(TURNED))('%s names the setting of the stand-in to change', (id, settings) => {
    const row = HUBSPOT_ASSUMPTIONS.find((each) => each.id === id);
    expect(row?.toChange).toContain(Object.keys(settings)[0]);
  });
});
