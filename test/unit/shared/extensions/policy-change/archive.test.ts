import { describe, expect, it } from 'vitest';
import { archivePolicy } from '#inside/extensions/policy-change/archive.ts';
import type { ArchivedPolicy } from '#inside/extensions/policy-change/schemas.ts';
import { archivedPolicyKind } from '#inside/extensions/policy-change/stored-kinds.ts';
import { beginApply, endApply, findApply, findPolicy } from '#shared/extensions/policy-change';
import { parsePolicy } from '#shared/field-policy';
import { createDigest } from '#shared/kernel/adapters';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../../harness/memory-items.ts';

function archive() {
  const clock = createManualClock({ startMs: 1_000 });
  const policies = createMemoryItems<ArchivedPolicy>({ indexPosition: archivedPolicyKind.place });
  let made = 0;
  const newId = () => `apply-${++made}`;
  return { policies, clock, digest: createDigest('an installation secret of a test'), newId };
}

const OLD = parsePolicy({ version: 'one', budgets: { perDay: 1, purposes: { refresh: { perDay: 1 } } } });
const NEW = parsePolicy({
  version: 'one',
  budgets: { perDay: 2 },
  fields: { contacts: { city: { write: 'never' } } },
});

describe('the archive of policies', () => {
  it('keeps each policy once, and gives it back as it was', async () => {
    const services = archive();
    for (const policy of [OLD, NEW, OLD]) {
      await services.clock.advance(1_000);
      await archivePolicy(services, policy);
    }
    const all = await services.policies.list({ partition: 'policies' });
    expect(all.map(({ archivedAtMs }) => archivedAtMs)).toEqual([2_000, 3_000]);
    expect(await findPolicy(services, all[0]?.hash.slice(0, 6) ?? '')).toEqual(OLD);
    // Of two policies under one version the newest counts.
    expect(await findPolicy(services, 'one')).toEqual(NEW);
    expect(await findPolicy(services, 'two')).toBeUndefined();
  });

  it('knows a version that looks like the beginning of a newer one’s hash', async () => {
    const services = archive();
    await archivePolicy(services, NEW);
    const [kept] = await services.policies.list({ partition: 'policies' });
    const short = parsePolicy({ version: kept?.hash.slice(0, 1), budgets: { perDay: 1 } });
    const anew = archive();
    for (const policy of [short, NEW]) {
      await anew.clock.advance(1_000);
      await archivePolicy(anew, policy);
    }
    expect(await findPolicy(anew, short.version)).toEqual(short);
  });

  it('goes on with an apply that was broken off, and begins another after one that has ended', async () => {
    const services = archive();
    const first = await beginApply(services, OLD);
    await services.clock.advance(5_000);
    expect(await beginApply(services, OLD)).toBe(first);
    await endApply(services, first);
    const second = await beginApply(services, OLD);
    expect(second).not.toBe(first);
    expect(await beginApply(services, NEW)).not.toBe(second);
    expect(await findApply(services, first)).toMatchObject({ begunAtMs: 1_000 });
    expect(await findApply(services, second)).toMatchObject({ begunAtMs: 6_000 });
    expect(await findApply(services, 'none')).toBeUndefined();
  });
});
