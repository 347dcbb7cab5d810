import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPANY_EVIDENCE, type Evidence, PERSON_EVIDENCE, verdictOf } from '#inside/identity/evidence.ts';
import type { Agreement } from '#inside/identity/names.ts';
import { weighEvidence } from '#shared/identity';

const GROUPS = ['identity', 'employer', 'stated'].flatMap((subject) =>
  [PERSON_EVIDENCE, COMPANY_EVIDENCE]
    .map((table) => table.filter((row) => row.subject === subject))
    .filter((rows) => rows.length > 0),
);
const SEED = 20_261_121;
const AGREEMENTS: readonly Agreement[] = ['differ', 'unknown', 'agree'];

const rows = fc.constantFrom(...GROUPS);
const weighed = rows.chain((group) =>
  fc.tuple(
    ...group.map((evidence) =>
      fc.constantFrom(...AGREEMENTS).map((agreement): Weighed => ({ evidence, agreement })),
    ),
  ),
);

interface Weighed {
  readonly evidence: Evidence;
  readonly agreement: Agreement;
}

const isRefused = (found: readonly Weighed[]) => verdictOf(found).kind === 'contradiction';

describe('the table of evidence', () => {
  it('refuses nothing more when one piece of evidence speaks more for the answer', () => {
    fc.assert(
      fc.property(weighed, fc.nat(20), (found, place) => {
        const at = place % found.length;
        const better = found.map((each, index) =>
          index === at ? { ...each, agreement: raised(each.agreement) } : each,
        );
        if (!isRefused(found)) expect(isRefused(better)).toBe(false);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('never refuses for what is unknown: neither alone, nor beside evidence for the answer', () => {
    fc.assert(
      fc.property(weighed, (found) => {
        const without = found.filter(({ agreement }) => agreement !== 'differ');
        expect(isRefused(without)).toBe(false);
        const told = found.filter(({ agreement }) => agreement !== 'unknown');
        expect(verdictOf(told).kind).toBe(verdictOf(found).kind);
      }),
      { seed: SEED },
    );
  });

  it('refuses for each piece of evidence against that stands alone, and names it', () => {
    for (const evidence of [...PERSON_EVIDENCE, ...COMPANY_EVIDENCE]) {
      const verdict = verdictOf([{ evidence, agreement: 'differ' }]);
      const expected = { kind: 'contradiction', by: evidence.name, reason: `other-${evidence.name}` };
      expect(verdict).toMatchObject(evidence.against === 'none' ? { kind: 'unknown' } : expected);
    }
  });
});

function raised(agreement: Agreement): Agreement {
  return agreement === 'differ' ? 'unknown' : 'agree';
}

const FIRST = ['Mira', 'Bob', 'Robert', 'M.', 'Zoë', 'Иван', '小明', ''];
const LAST = ['Testarossa', 'Vogel', 'van der Berg', 'Müller', 'Mueller', 'Петров', '王', ''];
const DOMAINS = ['nordwind.example', 'mail.nordwind.example', 'nordwind.test', 'suedwind.example', ''];

const person = fc.record({
  first: fc.constantFrom(...FIRST),
  last: fc.constantFrom(...LAST),
  profile: fc.constantFrom('https://www.linkedin.com/in/one', 'linkedin.com/in/two', ''),
});
type Person = typeof person extends fc.Arbitrary<infer P> ? P : never;

const contactOf = ({ first, last, profile }: Person, more: Readonly<Record<string, string>> = {}) => ({
  objectType: 'contacts' as const,
  properties: { firstname: first, lastname: last, hs_linkedin_url: profile, ...more },
});
const answerOf = ({ first, last, profile }: Person, employer = '') => ({
  firstName: first,
  lastName: last,
  profileUrl: profile,
  employerDomain: employer,
});

describe('the evidence about a person', () => {
  it('is the same from both sides', () => {
    fc.assert(
      fc.property(person, person, (one, other) => {
        const there = weighEvidence('identity', { record: contactOf(one), answer: answerOf(other) });
        const back = weighEvidence('identity', { record: contactOf(other), answer: answerOf(one) });
        expect(there.kind).toBe(back.kind);
      }),
      { seed: SEED },
    );
  });

  it('finds nobody to be another person than himself', () => {
    fc.assert(
      fc.property(person, (one) => {
        const verdict = weighEvidence('identity', { record: contactOf(one), answer: answerOf(one) });
        expect(verdict.kind).not.toBe('contradiction');
      }),
      { seed: SEED },
    );
  });

  it('refuses nothing more for an additional address at the employer of the answer', () => {
    const domain = fc.constantFrom(...DOMAINS);
    const given = fc.record({ one: person, other: person, main: domain, employer: domain, asked: domain });
    fc.assert(
      fc.property(given, ({ one, other, main, employer, asked }) => {
        const answer = answerOf(other, employer);
        const more = main === '' ? undefined : { email: `x7@${main}` };
        const added = { ...more, hs_additional_emails: `private@gmail.com;x8@${employer}` };
        const askedDomain = asked === '' ? undefined : asked;
        for (const subject of ['identity', 'employer', 'stated'] as const) {
          const before = weighEvidence(subject, { record: contactOf(one, more), answer, askedDomain });
          const after = weighEvidence(subject, { record: contactOf(one, added), answer, askedDomain });
          if (before.kind !== 'contradiction') expect(after.kind).not.toBe('contradiction');
        }
      }),
      { seed: SEED },
    );
  });

  it('never lets a typed website refuse an answer', () => {
    fc.assert(
      fc.property(
        person,
        fc.constantFrom(...DOMAINS),
        fc.constantFrom(...DOMAINS),
        (one, website, employer) => {
          const record = contactOf(one, { website });
          const verdict = weighEvidence('stated', { record, answer: answerOf(one, employer) });
          expect(verdict.kind).not.toBe('contradiction');
        },
      ),
      { seed: SEED },
    );
  });
});

const company = fc.record({
  domain: fc.constantFrom(...DOMAINS),
  page: fc.constantFrom('linkedin.com/company/nordwind', 'https://www.linkedin.com/company/x/', ''),
});

it('the evidence about a company by domain and page is the same from both sides', () => {
  fc.assert(
    fc.property(company, company, (one, other) => {
      const weigh = (record: typeof one, answer: typeof one) =>
        weighEvidence('identity', {
          record: {
            objectType: 'companies',
            properties: { domain: record.domain, linkedin_company_page: record.page },
          },
          answer: { domain: answer.domain, pageUrl: answer.page },
        }).kind;
      expect(weigh(one, other)).toBe(weigh(other, one));
    }),
    { seed: SEED },
  );
});
