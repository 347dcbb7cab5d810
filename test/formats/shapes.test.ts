import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kind } from '#inside/versioned-items/kind.ts';
import { STORED_KINDS } from '../style/stored-kinds.ts';
import { type Decisions, type Shapes, shapesOf, undecided } from './shapes.ts';

/**
 * Changed shapes that code of the last release may read and write, and why. The check below gives the print. Emptied with
 * each release, which keeps the new shapes (`npm run keep-format`).
 */
const COMPATIBLE: Decisions = {
  'record state': {
    print: 'ec31e6c8c336',
    because:
      'Code of 0.2.0 drops `paidBefore` and `end`. A request that waits meanwhile then reports also what its run had paid before. After a later run, the reply says that its own end is not stored. It drops `backfillCredits` and `reason`. A backfill then also counts what others bought, and says that a reason was not stored. It drops `isAboveLimit`: a record that waits for a larger budget then names its turn.',
  },
  'quote or backfill: counts, ids of a few records': {
    print: '745f60345af3',
    because: 'Code of 0.2.0 drops `withoutResult`. The status then says that a reason was not stored.',
  },
  "person's request in HubSpot, and the reply": {
    print: '88598eb20fa4',
    because: 'Code of 0.2.0 shows the price without `waits`. The request waits all the same.',
  },
  'values that accepting a finding would write': {
    print: '6ae559e2b18b',
    because: 'Code of 0.2.0 drops `earlier` and `isKept`. The users look again, or see values that stay.',
  },
  'home page: sums, counts and open decisions': {
    print: '1f345cb62ced',
    because: 'Code of 0.2.0 shows the page without the new figures, and stores it again within 5 minutes.',
  },
  'findings of a probe': {
    print: '9bc4d6eaafcb',
    because: 'Code of 0.2.0 drops `exceedsPage`. The next probe finds it again, from the stored answer.',
  },
};

const RELEASED = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.shapes.json'))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

const ROW = {
  name: 'sample',
  table: 'records',
  key: () => 'sample',
  expiry: { kept: 'for a test' },
  holdsPeople: false,
  bound: {},
} as const;
const FIELDS = { credits: z.int(), purpose: z.enum(['lead', 'import']) };
const shapesWith = (fields: z.ZodRawShape, format = 1) => {
  const raised = { format, upgrade: (body: unknown) => body };
  return shapesOf([kind({ ...ROW, schema: z.object(fields), ...(format > 1 && { raised }) })]);
};
const released = shapesWith(FIELDS);

describe('the shape of a stored kind', () => {
  it.each<[string, z.ZodRawShape, string]>([
    ['a new field', { ...FIELDS, note: z.string().optional() }, '/properties/note added'],
    ['a field that is gone', { credits: z.int() }, '/properties/purpose removed'],
    ['a field that may be absent', { ...FIELDS, credits: z.int().optional() }, '/required/0 changed'],
    ['a new word', { ...FIELDS, purpose: z.enum(['lead', 'import', 'refresh']) }, '/enum/2 added'],
    ['a wider number', { ...FIELDS, credits: z.number() }, '/properties/credits/type changed'],
  ])('asks for a decision when %s', (_, fields, change) => {
    const [sentence, ...others] = undecided(released, shapesWith(fields), {});
    expect(sentence).toContain(change);
    expect(sentence).toContain('Raise its format');
    expect(others).toEqual([]);
  });

  it('may change with its format', () => {
    expect(undecided(released, shapesWith({ credits: z.number() }, 2), {})).toEqual([]);
  });

  it('may change with a reason, for this one shape', () => {
    const changed = shapesWith({ ...FIELDS, note: z.string().optional() });
    const [, print = ''] = /print '(\w+)'/.exec(undecided(released, changed, {})[0] ?? '') ?? [];
    const decisions = { sample: { print, because: 'Older code keeps the note and does not need it.' } };
    expect(undecided(released, changed, decisions)).toEqual([]);
    const again = shapesWith({ ...FIELDS, note: z.string() });
    expect(undecided(released, again, decisions)).toHaveLength(1);
  });

  it('keeps its name, and its format never falls', () => {
    expect(undecided(released, {}, {})).toEqual([expect.stringContaining('"sample" is gone')]);
    const sentences = undecided(shapesWith(FIELDS, 2), released, {});
    expect(sentences).toEqual(['"sample" has format 1; 2 was released.']);
  });
});

describe('stored kinds', () => {
  it('tell their shapes, each field of the body', () => {
    const shapes = shapesOf(STORED_KINDS);
    for (const { name, fields } of STORED_KINDS) {
      const text = JSON.stringify(shapes[name]?.shape);
      for (const field of fields ?? []) expect(text).toContain(`"${field}"`);
    }
  });

  it.each(RELEASED.slice(-1))('differ from %s by decisions only', (file) => {
    const shapes: Shapes = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
    expect(undecided(shapes, shapesOf(STORED_KINDS), COMPATIBLE)).toEqual([]);
  });
});
