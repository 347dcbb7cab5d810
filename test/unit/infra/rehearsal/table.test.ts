import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ASSUMPTIONS,
  HUBSPOT_ASSUMPTIONS,
  HUBSPOT_STEPS,
} from '../../../../infra/local/rehearsal/assumptions.ts';
import { DEFAULT_SETTINGS } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const rows = Object.values(ASSUMPTIONS).flat();
/** `path` or `path: a.setting`; a few rows name the setting of the policy before it, others need no change of ours. */
const changed = rows.flatMap(({ toChange }) => {
  const [, path, setting] = /(infra\/[\w/.-]+)(?:: ([\w.]+))?$/.exec(toChange) ?? [];
  return path === undefined ? [] : [{ path, setting }];
});

describe('the table of assumptions', () => {
  it('has each id once', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.length).toBeGreaterThan(60);
  });

  it.each(rows)('$id: its test, and who relies on it, exist', ({ test, reliedOnBy }) => {
    expect(existsSync(join(ROOT, test))).toBe(true);
    expect(existsSync(join(ROOT, reliedOnBy))).toBe(true);
  });

  it('names files and settings that exist', () => {
    expect(changed.length).toBeGreaterThan(50);
    for (const { path, setting } of changed) {
      expect({ path, there: existsSync(join(ROOT, path)) }).toEqual({ path, there: true });
      if (setting === undefined) continue;
      const text = readFileSync(join(ROOT, path), 'utf8');
      expect(text).toContain(setting.split('.').at(-1));
      if (path.includes('hubspot')) expect(Object.keys(DEFAULT_SETTINGS)).toContain(setting.split('.')[0]);
    }
  });

  it('names only steps of HubSpot that exist, and each step is of some assumption', () => {
    const named = HUBSPOT_ASSUMPTIONS.flatMap(({ step }) => (typeof step === 'string' ? [step] : []));
    expect([...new Set(named)].toSorted()).toEqual(HUBSPOT_STEPS.map(({ name }) => name).toSorted());
  });

  it('says of each row without a step why none looks at it', () => {
    for (const { step } of rows) if (typeof step !== 'string') expect(step.none.length).toBeGreaterThan(10);
  });
});
