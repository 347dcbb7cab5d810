import { describe, expect, it } from 'vitest';
import {
  createMark,
  createNormalise,
  lastWrittenMarks,
  type Proposal,
  type WriteMode,
} from '#shared/field-policy';
import {
  decideWrites,
  holdsOurValue,
  mayWrite,
  type Ownership,
  WRITE_VERDICT_TEXTS,
  withOwnership,
} from '#shared/ownership';
import { textFaults } from '../../../harness/catalogue.ts';
import { COLOURS, definitionOf, definitionsOf } from '../field-policy/definitions.ts';

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
  const ownership = withOwnership({}, { written: lastWrittenMarks(written, mark) });
  const { writes, kept } = decideWrites({ ...ASKED, proposed: [proposal], current, ownership });
  return { writes, kept: kept.map(({ property, reason }) => ({ property, reason })) };
}

const ASKED = { verdicts: [], request: { by: 'event' }, mark, normalise } as const;

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
    expect(decide(proposal, current)).toEqual(kept('jobtitle', 'unproved'));
    expect(decide(proposal, current, { jobtitle: 'Head Seller' })).toEqual(kept('jobtitle', 'person-wrote'));
    expect(decide(proposal, current, { website: 'Seller' })).toEqual(kept('jobtitle', 'unproved'));
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
});

it('a property of several choices is added to and never replaced', () => {
  expect(decide(propose('colours', 'red;teal', 'always'), { colours: 'blue;red' })).toEqual(
    written('colours', ';teal'),
  );
  const ours = { colours: 'blue;red' };
  expect(decide(propose('colours', 'teal', 'ours'), ours, { colours: 'red;blue' })).toEqual(
    written('colours', ';teal'),
  );
});

describe('a value that a person brought back', () => {
  const restored = { jobtitle: hash('jobtitle\nBuyer'), phone: hash('phone\n') };

  function decideRestored(write: WriteMode, current: Record<string, string | null>) {
    const written = { jobtitle: hash('jobtitle\nBuyer') };
    const ownership = withOwnership({}, { written, broughtBack: restored });
    const proposed = [propose('jobtitle', 'Seller', write), propose('phone', '+4930123456', write)];
    return decideWrites({ ...ASKED, proposed, current, ownership }).writes;
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

it('a value that a person brought back is not our last write, even if it is equal', () => {
  const ownership: Ownership = { city: { written: ['mark of Ulm'] } };
  expect(holdsOurValue(ownership, 'city', 'mark of Ulm')).toBe(true);
  expect(holdsOurValue(ownership, 'city', 'mark of Bonn')).toBe(false);
  const restored = withOwnership(ownership, { broughtBack: { city: 'mark of Ulm' } });
  expect(holdsOurValue(restored, 'city', 'mark of Ulm')).toBe(false);
});

const ANSWER = { questionKey: 'q', askedAtMs: 1 };

/** Asks for one property of our own memory; `OURS` is what we wrote last. */
function verdictOf(
  write: Parameters<typeof mayWrite>[0]['rule']['write'],
  given: Partial<Omit<Parameters<typeof mayWrite>[0], 'rule'>> = {},
) {
  return mayWrite({
    ownership: { city: { written: ['Ulm'] } },
    verdicts: [],
    request: { by: 'event' },
    current: { value: 'Ulm', mark: 'Ulm' },
    ...given,
    rule: { property: 'city', write },
  });
}

const MAY = expect.objectContaining({ may: true });
const kept1 = (reason: string, code = reason) => expect.objectContaining({ may: false, reason, code });

describe('a verdict on the answer', () => {
  const request = { by: 'event', answer: ANSWER } as const;
  const rejected = [{ ...ANSWER, rejected: { reason: { code: 'x' } } }];
  const declined = [{ ...ANSWER, declined: ['city'] }];

  it('keeps its values out, whatever the rule says of the field', () => {
    for (const write of ['ours', 'always'] as const) {
      expect(verdictOf(write, { request, verdicts: rejected })).toEqual(kept1('rejected'));
      expect(verdictOf(write, { request, verdicts: declined })).toEqual(kept1('declined'));
    }
  });

  it('says nothing of a later answer, of another property, nor of what comes from no answer', () => {
    const later = { by: 'event', answer: { ...ANSWER, askedAtMs: 2 } } as const;
    expect(verdictOf('ours', { request: later, verdicts: [...rejected, ...declined] })).toEqual(MAY);
    expect(verdictOf('ours', { request, verdicts: [{ ...ANSWER, declined: ['zip'] }] })).toEqual(MAY);
    expect(verdictOf('ours', { verdicts: [...rejected, ...declined] })).toEqual(MAY);
  });

  it('gives way to a person who takes the answer, now or before; declined values stay out', () => {
    const isAccepted = { ...request, isAccepted: true };
    expect(verdictOf('ours', { request: isAccepted, verdicts: rejected })).toEqual(MAY);
    expect(verdictOf('ours', { request: isAccepted, verdicts: declined })).toEqual(kept1('declined'));
    const taken = [{ ...ANSWER, rejected: { reason: { code: 'x' } }, inSpiteOf: 'job-change' as const }];
    expect(verdictOf('ours', { request, verdicts: taken })).toEqual(MAY);
  });
});

describe('a value whose writer is not proved', () => {
  it('is nobody’s that we can name: without an entry, or after a merge', () => {
    expect(verdictOf('ours', { ownership: {} })).toEqual(kept1('unproved'));
    const merged = { city: { written: ['Ulm'], unproved: true } } as const;
    expect(verdictOf('ours', { ownership: merged })).toEqual(kept1('unproved'));
  });

  it('is a changed one where we remember another: no person is named', () => {
    const changed = verdictOf('ours', { current: { value: 'Bonn', mark: 'Bonn' } });
    expect(changed).toEqual(kept1('person-wrote'));
  });
});

describe('a blank', () => {
  const current = { value: '', mark: 'blank' };

  it.each(['workflow', 'schedule', 'backfill', 'event'] as const)(
    'that somebody made stays one for: %s',
    (by) => {
      for (const entry of [
        { written: ['Ulm'] },
        { filledByOthers: true as const },
        { broughtBack: ['blank'] },
      ])
        expect(verdictOf('ours', { ownership: { city: entry }, current, request: { by } })).toEqual(
          kept1('cleared'),
        );
    },
  );

  it('is filled for a person who asks, but not one of this very moment', () => {
    expect(verdictOf('ours', { current, request: { by: 'person' } })).toEqual(MAY);
    const request = { by: 'person', keepsBlank: new Set(['city']) } as const;
    expect(verdictOf('ours', { current, request })).toEqual(kept1('cleared'));
  });

  it('stays one after a merge too, where either record remembers a value', () => {
    const ownership = { city: { written: ['Ulm'], unproved: true } } as const;
    expect(verdictOf('ours', { current, ownership })).toEqual(kept1('cleared'));
  });
});

describe('an undo', () => {
  const current = { value: 'Ulm', mark: 'Ulm', isJournalled: true, lastBy: 'us' } as const;

  it('takes back what our journal names and HubSpot’s history says is ours', () => {
    expect(verdictOf('take-back', { current })).toEqual(MAY);
    expect(verdictOf('take-back', { current, ownership: {} })).toEqual(MAY);
  });

  it('leaves everything else, and names a person only with a proof', () => {
    const told = (given: object) => verdictOf('take-back', { current: { ...current, ...given } });
    expect(told({ lastBy: 'person' })).toEqual(kept1('person-wrote', 'person-changed'));
    expect(told({ lastBy: 'app' })).toEqual(kept1('person-wrote', 'app-changed'));
    expect(told({ lastBy: 'person', value: '' })).toEqual(kept1('person-wrote', 'person-emptied'));
    expect(told({ lastBy: 'app', value: '' })).toEqual(kept1('person-wrote', 'app-emptied'));
    expect(told({ isJournalled: false })).toEqual(kept1('person-wrote'));
    expect(told({ lastBy: undefined })).toEqual(kept1('unproved'));
  });

  it('leaves a value that an earlier undo brought back', () => {
    const ownership = { city: { written: ['Ulm'], broughtBack: ['Ulm'] } };
    expect(verdictOf('take-back', { current, ownership })).toEqual(kept1('person-wrote', 'brought-back'));
  });
});

it('a reader without the key of the hashes goes by the journal, where we remember a write', () => {
  const current = { value: 'Ulm', isJournalled: true };
  expect(verdictOf('ours', { current })).toEqual(MAY);
  expect(verdictOf('ours', { current: { ...current, isJournalled: false } }).may).toBe(false);
  expect(verdictOf('ours', { current, ownership: {} })).toEqual(kept1('unproved'));
});

it('the texts of verdicts are one short clause each', () => {
  expect(Object.values(WRITE_VERDICT_TEXTS).flatMap(textFaults)).toEqual([]);
});
