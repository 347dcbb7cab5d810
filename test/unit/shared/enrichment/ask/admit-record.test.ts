import { describe, expect, it } from 'vitest';
import { barredBy, endBarred, isAdmittedStill } from '#inside/enrichment/ask/endings.ts';
import type { Crm } from '#shared/crm';
import type { ClaimedRecord, EnrichmentServices } from '#shared/enrichment';
import { admissionOf, parsePolicy } from '#shared/field-policy';

const MINUTE_MS = 60_000;
const NOW_MS = 100 * MINUTE_MS;
const policy = parsePolicy({
  budgets: { perDay: 1 },
  whom: {
    companies: [
      { name: 'customers', when: [{ property: 'stage', is: 'customer' }] },
      { name: 'leads', when: [{ property: 'stage', is: 'lead' }] },
      { name: 'the rest', enrich: false },
    ],
  },
});

interface Seen {
  /** As it was read, and as HubSpot has it now; nothing where HubSpot has it no more. */
  readonly stages: readonly [string, string | undefined];
  readonly ageMs?: number;
}

/** The check of a company, and how often HubSpot was asked. */
function checkOf({ stages: [before, after], ageMs = 0 }: Seen) {
  const now = new Map(after === undefined ? [] : [['1', recordOf(after)] as const]);
  const counted = { reads: 0 };
  const crm = {
    read: async () => {
      counted.reads += 1;
      return { records: now, failed: new Set() };
    },
    definitions: async () => new Map([['stage', {}]]),
  } as unknown as Crm;
  const record = recordOf(before);
  const admission = admissionOf(policy, record, { nowMs: NOW_MS });
  const run = { id: 'run', purpose: 'refresh', credits: 0, openedAtMs: 0 };
  const read = { record, admission, run, readAtMs: NOW_MS - ageMs, requested: false };
  const held = { objectType: 'companies', id: '1', state: {}, ...read } as unknown as ClaimedRecord;
  const services = { crm, policy, clock: { now: () => NOW_MS } } as unknown as EnrichmentServices;
  return { check: isAdmittedStill(services, held), counted };
}

function recordOf(stage: string) {
  return { objectType: 'companies', id: '1', properties: { stage }, createdAtMs: 0 } as const;
}

const OLD = { ageMs: MINUTE_MS };

describe('the check before a request', () => {
  it('reads nothing again of what was read within the minute', async () => {
    const { check, counted } = checkOf({ stages: ['customer', 'other'], ageMs: MINUTE_MS - 1 });
    expect([await check?.(), counted.reads]).toEqual([true, 0]);
  });

  it('reads again what was read before that, and then not once more', async () => {
    const { check, counted } = checkOf({ stages: ['customer', 'customer'], ...OLD });
    expect([await check?.(), counted.reads]).toEqual([true, 1]);
    expect([await check?.(), counted.reads]).toEqual([true, 1]);
  });

  it.each<[string, string | undefined]>([
    ['is left out by now', 'other'],
    ['is under another rule, of other options and another price', 'lead'],
    ['is gone', undefined],
  ])('stops the request where it %s', async (_, stage) => {
    expect(await checkOf({ stages: ['customer', stage], ...OLD }).check?.()).toBe(false);
  });

  it('is none where the policy has no rules for it', () => {
    const held = {
      objectType: 'contacts',
      id: '1',
      admission: { rule: undefined },
    } as unknown as ClaimedRecord;
    expect(isAdmittedStill({} as EnrichmentServices, held)).toBeUndefined();
  });
});

describe('a rule', () => {
  const heldBy = (admission: object, purpose = 'live') =>
    ({
      admission: { rule: 'it', enrich: true, onRequest: false, refresh: true, waitMinutes: 0, ...admission },
      record: { createdAtMs: NOW_MS - MINUTE_MS, properties: {} },
      run: { purpose, credits: 0 },
      state: {},
      requested: false,
    }) as unknown as ClaimedRecord;

  it('without refresh bars refreshes alone', () => {
    expect(barredBy(heldBy({ refresh: false }, 'refresh'), NOW_MS)?.kind).toBe('not-refreshed');
    expect(barredBy(heldBy({ refresh: false }, 'live'), NOW_MS)).toBeUndefined();
    expect(barredBy(heldBy({}, 'refresh'), NOW_MS)).toBeUndefined();
  });

  it('leaves a record to free sources until its minutes are over, and no longer', () => {
    expect(barredBy(heldBy({ waitMinutes: 2 }), NOW_MS)).toMatchObject({
      kind: 'waiting',
      untilMs: NOW_MS + MINUTE_MS,
    });
    expect(barredBy(heldBy({ waitMinutes: 1 }), NOW_MS)).toBeUndefined();
  });

  it('that cannot be read is looked at again in an hour', () => {
    const ending = endBarred(
      { clock: { now: () => NOW_MS } } as EnrichmentServices,
      heldBy({ missing: 'a' }),
      {
        isKept: false,
      },
    );
    expect(ending?.runOutcome).toMatchObject({ kind: 'deferred', untilMs: NOW_MS + 60 * MINUTE_MS });
  });
});
