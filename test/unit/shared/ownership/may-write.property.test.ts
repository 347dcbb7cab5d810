import fc from 'fast-check';
import { describe, it } from 'vitest';
import { CONVERSIONS } from '#inside/field-policy/field-rule.ts';
import {
  createMark,
  createNormalise,
  type FieldRule,
  lastWrittenMarks,
  mapAnswer,
  membersOf,
  WRITE_MODES,
} from '#shared/field-policy';
import { decideWrites, withOwnership } from '#shared/ownership';
import { COLOURS, definitionOf, definitionsOf, INDUSTRY } from '../field-policy/definitions.ts';

const SETTINGS = { seed: 20_261_121, numRuns: 500 };

const definitions = definitionsOf(
  definitionOf('text'),
  definitionOf('number', { type: 'number', fieldType: 'number' }),
  definitionOf('date', { type: 'date', fieldType: 'date' }),
  definitionOf('moment', { type: 'datetime', fieldType: 'date' }),
  definitionOf('flag', { type: 'bool', fieldType: 'booleancheckbox' }),
  definitionOf('phone', { type: 'phone_number', fieldType: 'phonenumber' }),
  definitionOf('locked', { readOnly: true }),
  COLOURS,
  INDUSTRY,
);
const PROPERTIES = [...definitions.keys(), 'missing'];
const normalise = createNormalise(definitions);
const mark = createMark({ definitions, hash: (text) => `#${text}` });

const telling = fc.constantFrom(
  ...[
    'Blue',
    'red',
    'Computer Software',
    'Software Development',
    'US',
    'Germany',
    '51-200',
    '1999',
    '12.50',
    ';',
    '/',
  ],
  ...[
    '2024-02-29',
    '2024-02-29T10:00:00Z',
    'example.com',
    'https://www.Example.com/',
    '+14155550132',
    '(415) 555-0132',
  ],
  ...['', ' ', 'true', 'Yes', 'Unknown', 'https://', 'red;blue'],
);
const text = fc.oneof({ weight: 3, arbitrary: telling }, fc.string({ unit: 'grapheme', maxLength: 12 }));
const leaf = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 4 }),
);
const answers = fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf);
const rules = fc
  .array(
    fc.record({
      property: fc.constantFrom(...PROPERTIES),
      from: fc.constantFrom('a', 'b', 'c'),
      convert: fc.constantFrom(...CONVERSIONS),
      write: fc.constantFrom(...WRITE_MODES),
    }),
    { maxLength: 12 },
  )
  .map((list): FieldRule[] => list);
const currents = fc.tuple(...PROPERTIES.map(() => fc.option(text))).map(byProperty);
const memories = fc.tuple(...PROPERTIES.map(() => fc.option(text))).map(byProperty);
const cases = fc.record({ answer: answers, rules, current: currents, written: memories });
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

function byProperty(values: (string | null)[]): Record<string, string | null> {
  return Object.fromEntries(PROPERTIES.map((property, index) => [property, values[index] ?? null]));
}

function decide({ answer, rules: fieldRules, current, written }: Case) {
  const { proposed } = mapAnswer({ rules: fieldRules, answer, definitions });
  const lastWritten = lastWrittenMarks(written, mark);
  const ownership = withOwnership({}, { written: lastWritten });
  const asked = { verdicts: [], request: { by: 'event' } } as const;
  return {
    proposed,
    lastWritten,
    ...decideWrites({ ...asked, proposed, current, ownership, mark, normalise }),
  };
}

/** What HubSpot holds after a write; a leading semicolon adds choices. */
function apply(current: Record<string, string | null>, writes: Readonly<Record<string, string>>) {
  const after = { ...current };
  for (const [property, value] of Object.entries(writes)) {
    const before = current[property] ?? '';
    const appended = [...new Set([...membersOf(before), ...membersOf(value)])].join(';');
    after[property] = value.startsWith(';') ? appended : value;
  }
  return after;
}

function isBlank(value: string | null | undefined): boolean {
  return value === null || value === undefined || value.trim() === '';
}

describe('for any answer, policy, record and memory', () => {
  it('deciding again over its own writes writes nothing', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), (given, remembers) => {
        const { writes } = decide(given);
        const current = apply(given.current, writes);
        const written = remembers
          ? { ...given.written, ...pick(current, Object.keys(writes)) }
          : given.written;
        return Object.keys(decide({ ...given, current, written }).writes).length === 0;
      }),
      SETTINGS,
    );
  });

  it('a value that is there and not ours stays under fill-blank and ours', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { proposed, writes } = decide({ ...given, written: {} });
        return proposed
          .filter(({ rule }) => rule.write === 'fill-blank' || rule.write === 'ours')
          .every(({ property }) => isBlank(given.current[property]) || !Object.hasOwn(writes, property));
      }),
      SETTINGS,
    );
  });

  it('a value is replaced under ours only when it says what we wrote last', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { proposed, writes } = decide(given);
        return proposed
          .filter(({ rule, property }) => rule.write === 'ours' && Object.hasOwn(writes, property))
          .every(({ property }) => {
            const [now, last] = [given.current[property], given.written[property]];
            if (isBlank(now)) return true;
            return !isBlank(last) && normalise(property, now ?? '') === normalise(property, last ?? '');
          });
      }),
      SETTINGS,
    );
  });

  it('nothing empty is ever proposed or written', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { proposed, writes } = decide(given);
        return [...proposed.map(({ value }) => value), ...Object.values(writes)].every(
          (value) => !isBlank(value),
        );
      }),
      SETTINGS,
    );
  });

  it('a proposal ends either in a write or in a reason', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { proposed, writes, kept } = decide(given);
        const settled = [...Object.keys(writes), ...kept.map(({ property }) => property)].sort();
        return JSON.stringify(settled) === JSON.stringify(proposed.map(({ property }) => property).sort());
      }),
      SETTINGS,
    );
  });
});

function pick(values: Readonly<Record<string, string | null>>, keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
}
