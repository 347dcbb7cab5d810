import { describe, expect, it } from 'vitest';
import type { WriteMode } from '#inside/field-policy/field-rule.ts';
import type { Proposal } from '#inside/field-policy/mapping/map-answer.ts';
import {
  createMark,
  createNormalise,
  isLastWritten,
  lastWrittenMarks,
} from '#inside/field-policy/normal-form.ts';
import { decideWrites } from '#inside/field-policy/overwrite.ts';
import { COLOURS, definitionOf, definitionsOf } from './definitions.ts';

const definitions = definitionsOf(
  definitionOf('jobtitle'),
  definitionOf('website'),
  definitionOf('phone', { fieldType: 'phonenumber' }),
  definitionOf('headcount', { type: 'number', fieldType: 'number' }),
  definitionOf('since', { type: 'date', fieldType: 'date' }),
  COLOURS,
);
const normalise = createNormalise(definitions);
const hash = (text: string) => `hash of ${text}`;
const mark = createMark({ definitions, hash });

function propose(property: string, value: string, write: WriteMode): Proposal {
  const rule = { property, from: 'any', convert: 'text', write } as const;
  return { property, value, rule, appends: property === 'colours' };
}

function decide(
  proposal: Proposal,
  current: Record<string, string | null>,
  written: Record<string, string> = {},
) {
  const lastWritten = lastWrittenMarks(written, mark);
  return decideWrites({ proposed: [proposal], current, lastWritten, mark, normalise });
}

function written(property: string, value: string) {
  return { writes: { [property]: value }, kept: [] };
}

function kept(property: string, reason: string) {
  return { writes: {}, kept: [{ property, reason }] };
}

describe('a blank property', () => {
  it.each(['fill-blank', 'ours', 'always'] as const)('is filled under %s', (write) => {
    for (const blank of [null, '', '  ']) {
      expect(decide(propose('jobtitle', 'Buyer', write), { jobtitle: blank })).toEqual(
        written('jobtitle', 'Buyer'),
      );
    }
  });

  it('stays blank under never', () => {
    expect(decide(propose('jobtitle', 'Buyer', 'never'), { jobtitle: null })).toEqual(
      kept('jobtitle', 'never'),
    );
  });

  it('is not assumed where the property was not read', () => {
    expect(decide(propose('jobtitle', 'Buyer', 'always'), {})).toEqual(kept('jobtitle', 'not-read'));
    expect(decide(propose('toString', 'Buyer', 'always'), {})).toEqual(kept('toString', 'not-read'));
  });
});

describe('a value that is there', () => {
  const current = { jobtitle: 'Seller' };

  it('stays under fill-blank, also when it is ours', () => {
    const proposal = propose('jobtitle', 'Buyer', 'fill-blank');
    expect(decide(proposal, current)).toEqual(kept('jobtitle', 'not-blank'));
    expect(decide(proposal, current, { jobtitle: 'Seller' })).toEqual(kept('jobtitle', 'not-blank'));
  });

  it('is replaced under ours only while it is what we wrote last', () => {
    const proposal = propose('jobtitle', 'Buyer', 'ours');
    expect(decide(proposal, current)).toEqual(kept('jobtitle', 'person-wrote'));
    expect(decide(proposal, current, { jobtitle: 'Head Seller' })).toEqual(kept('jobtitle', 'person-wrote'));
    expect(decide(proposal, current, { website: 'Seller' })).toEqual(kept('jobtitle', 'person-wrote'));
    expect(decide(proposal, current, { jobtitle: 'Seller' })).toEqual(written('jobtitle', 'Buyer'));
  });

  it('is replaced under always and stays under never', () => {
    expect(decide(propose('jobtitle', 'Buyer', 'always'), current)).toEqual(written('jobtitle', 'Buyer'));
    expect(decide(propose('jobtitle', 'Buyer', 'never'), current)).toEqual(kept('jobtitle', 'never'));
  });
});

describe('a value that says the same in another spelling', () => {
  it.each([
    ['jobtitle', 'head of  SALES', 'Head of Sales'],
    ['jobtitle', 'Gerant', 'Gérant'],
    ['website', 'http://www.example.com/', 'https://example.com'],
    ['phone', '+1 (415) 555-0132', '+14155550132'],
    ['headcount', '120.0', '120'],
    ['since', '1614816000000', '2021-03-04'],
    ['since', '2021-03-04T00:00:00Z', '2021-03-04'],
    ['colours', 'red;blue;green', 'blue;red'],
  ])('in %s is not written: %s for %s', (property, current, value) => {
    expect(decide(propose(property, value, 'always'), { [property]: current })).toEqual(
      kept(property, 'same'),
    );
  });

  it.each([
    ['jobtitle', 'Head of Sale', 'Head of Sales'],
    ['phone', '+14155550133', '+14155550132'],
    ['headcount', '1200', '120'],
    ['since', '2021-03-05', '2021-03-04'],
  ])('is told from another value in %s: %s for %s', (property, current, value) => {
    expect(decide(propose(property, value, 'always'), { [property]: current })).toEqual(
      written(property, value),
    );
  });

  it('is still recognised as ours after HubSpot has rewritten it', () => {
    const proposal = propose('phone', '+14155550199', 'ours');
    const held = { phone: '+1 415-555-0132' };
    expect(decide(proposal, held, { phone: '+14155550132' })).toEqual(written('phone', '+14155550199'));
  });
});

describe('a property of several choices', () => {
  it('is added to and never replaced', () => {
    expect(decide(propose('colours', 'red;teal', 'always'), { colours: 'blue;red' })).toEqual(
      written('colours', ';teal'),
    );
    const ours = { colours: 'blue;red' };
    expect(decide(propose('colours', 'teal', 'ours'), ours, { colours: 'red;blue' })).toEqual(
      written('colours', ';teal'),
    );
  });

  it('is left to the person who chose', () => {
    expect(decide(propose('colours', 'teal', 'ours'), { colours: 'blue' })).toEqual(
      kept('colours', 'person-wrote'),
    );
    expect(decide(propose('colours', 'teal', 'fill-blank'), { colours: 'blue' })).toEqual(
      kept('colours', 'not-blank'),
    );
  });
});

describe('rememberWrites', () => {
  it('stores hashes of exact values that name their property, and nothing for what was cleared', () => {
    const values = { jobtitle: ' Head of Sales ', website: 'https://example.com/', phone: null, since: '' };
    expect(lastWrittenMarks(values, mark)).toEqual({
      jobtitle: 'hash of jobtitle\nHead of Sales',
      website: 'hash of website\nhttps://example.com/',
    });
  });
});

describe('a proposal without a value', () => {
  it('is a bug', () => {
    expect(() => decide(propose('jobtitle', ' ', 'always'), { jobtitle: 'Seller' })).toThrow('never empty');
  });
});

describe('a value of ours that is blank now', () => {
  const decideCleared = (write: WriteMode, asked?: boolean) => {
    const lastWritten = lastWrittenMarks({ jobtitle: 'Buyer' }, mark);
    const proposed = [propose('jobtitle', 'Seller', write)];
    return decideWrites({ proposed, current: { jobtitle: '' }, lastWritten, mark, normalise, asked });
  };

  it.each(['fill-blank', 'ours'] as const)(
    'was emptied by somebody, and stays so under %s until somebody asks',
    (write) => {
      expect(decideCleared(write)).toEqual(kept('jobtitle', 'cleared'));
      expect(decideCleared(write, true)).toEqual(written('jobtitle', 'Seller'));
    },
  );

  it('is written where the policy says always', () => {
    expect(decideCleared('always')).toEqual(written('jobtitle', 'Seller'));
  });
});

describe('a value that a person brought back', () => {
  const restored = { jobtitle: hash('jobtitle\nBuyer'), phone: hash('phone\n') };

  function decideRestored(write: WriteMode, current: Record<string, string | null>) {
    const lastWritten = { jobtitle: hash('jobtitle\nBuyer') };
    const proposed = [propose('jobtitle', 'Seller', write), propose('phone', '+4930123456', write)];
    return decideWrites({ proposed, current, lastWritten, pinned: restored, mark, normalise }).writes;
  }

  it.each(['fill-blank', 'ours'] as const)('stays under %s, also where it is a blank', (write) => {
    expect(decideRestored(write, { jobtitle: 'Buyer', phone: null })).toEqual({});
  });

  it('is written over where the policy says always', () => {
    expect(Object.keys(decideRestored('always', { jobtitle: 'Buyer', phone: '' }))).toEqual([
      'jobtitle',
      'phone',
    ]);
  });

  it('counts no longer once somebody has put another value there', () => {
    expect(decideRestored('ours', { jobtitle: 'Buyer', phone: '+491' })).toEqual({});
    expect(decideRestored('always', { jobtitle: 'Potter', phone: '+491' })).toMatchObject({
      jobtitle: 'Seller',
    });
  });
});

it('a value that a person restored is not our last write, even if it is equal', () => {
  const lastWritten = { city: 'mark of Ulm' };
  expect(isLastWritten({ lastWritten }, 'city', 'mark of Ulm')).toBe(true);
  expect(isLastWritten({ lastWritten }, 'city', 'mark of Bonn')).toBe(false);
  expect(isLastWritten({ lastWritten, pinned: lastWritten }, 'city', 'mark of Ulm')).toBe(false);
});
