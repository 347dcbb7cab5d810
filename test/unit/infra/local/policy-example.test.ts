import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { requireProperties } from '../../../../infra/local/require-access.ts';
import { createWorld } from '../../../harness/world.ts';

it('the policy in the guide names only properties that a new HubSpot account has', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/guides/policy.md'), 'utf8');
  const example = /const policy: PolicyInput = (\{[\s\S]*?\n\});/.exec(guide)?.[1];
  const policy = parsePolicy(new Function(`return ${example}`)());
  expect(policy.fields.contacts.map(({ property }) => property)).toContain('seniority');
  const { services } = await createWorld({});
  await requireProperties(services, { policy, isReal: false });
});
