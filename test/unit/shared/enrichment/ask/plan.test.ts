import { describe, expect, it } from 'vitest';
import { type PlanInput, planQuestions } from '#inside/enrichment/ask/plan-record.ts';
import type { ObjectType } from '#shared/crm';
import { type Policy, type PolicyInput, parsePolicy } from '#shared/field-policy';
import { priceOfQuestion } from '#shared/questions';

type Questions = PolicyInput['questions'];
interface Wish extends Partial<Omit<PlanInput, 'record' | 'policy'>> {
  readonly questions?: Questions;
  readonly companyDomain?: string;
}

function policyWith(questions: Questions = {}): Policy {
  return parsePolicy({ budgets: { perDay: 10 }, questions });
}

function plan(objectType: ObjectType, properties: Record<string, string | null>, wish: Wish = {}) {
  const { companyDomain, ...rest } = wish;
  const record = { objectType, id: '1', properties, companyDomain, createdAtMs: 0 };
  return planQuestions({ ...rest, record, policy: policyWith(wish.questions) });
}

/** Operation, identifiers and price of each question, in order. */
function asked(...args: Parameters<typeof plan>) {
  const planned = plan(...args);
  if (planned.kind === 'skip') return planned.reason;
  return planned.questions.map((question) => [
    question.operation,
    Object.values(question.by).join(' '),
    priceOfQuestion(question),
  ]);
}

const URL_OF_JANE = { hs_linkedin_url: 'https://www.linkedin.com/in/jane-doe' };
const NAME = { firstname: 'Jane', lastname: 'Doe' };

describe('choosing the question for a contact', () => {
  it.each<[string, Record<string, string>, Questions, number]>([
    ['with an email wanted and lacking', {}, {}, 3],
    ['with an email there already', { email: 'jane@acme.com' }, {}, 1],
    ['with no email wanted', {}, { wantEmail: false }, 1],
    ['with a phone wanted and lacking', { email: 'jane@acme.com' }, { wantPhone: true }, 4],
    ['with a phone there already', { email: 'jane@acme.com', phone: '+1' }, { wantPhone: true }, 1],
    ['with a mobile phone there already', { mobilephone: '+1' }, { wantPhone: true, wantEmail: false }, 1],
    ['with both wanted and lacking', {}, { wantPhone: true }, 6],
  ])('a profile URL, %s: people profile', (_, more, questions, price) => {
    expect(asked('contacts', { ...URL_OF_JANE, ...more }, { questions })).toEqual([
      ['personProfile', 'https://linkedin.com/in/jane-doe', price],
    ]);
  });

  it('a business email: reverse email lookup', () => {
    expect(asked('contacts', { email: ' Jane@Acme.com ', ...NAME })).toEqual([
      ['reverseEmail', 'jane@acme.com', 1],
    ]);
  });

  it.each<[string, Record<string, string>, Wish, string]>([
    ['its own', { website: 'https://www.acme.com/about' }, {}, 'acme.com'],
    ['its company’s', {}, { companyDomain: 'acme.com' }, 'acme.com'],
    ['its company’s before its website', { website: 'own.com' }, { companyDomain: 'acme.com' }, 'acme.com'],
    ['its own, the email being free', { website: 'acme.com', email: 'jane@gmail.com' }, {}, 'acme.com'],
  ])('a name with a company domain, %s: people lookup', (_, more, wish, domain) => {
    expect(asked('contacts', { ...NAME, ...more }, wish)).toEqual([
      ['lookUpPerson', `${domain} Jane Doe`, more['email'] ? 1 : 3],
    ]);
  });

  it('a first name alone only where the policy says so', () => {
    const record = { firstname: 'Jane', website: 'acme.com' };
    expect(asked('contacts', record)).toBe('no-identifier');
    expect(asked('contacts', record, { questions: { allowFirstNameAlone: true } })).toEqual([
      ['lookUpPerson', 'acme.com Jane', 3],
    ]);
  });

  it('a last name alone is nothing to ask by', () => {
    expect(asked('contacts', { lastname: 'Doe', website: 'acme.com' })).toBe('no-identifier');
  });

  it('a phone: reverse phone lookup', () => {
    expect(asked('contacts', { phone: '+49 30 901820' })).toEqual([['reversePhone', '+4930901820', 1]]);
  });

  it.each([
    [{ email: 'jane@gmail.com' }, 'free-mail-only'],
    [{ email: 'jane@gmail.com', ...NAME, website: 'gmail.com' }, 'free-mail-only'],
    [{ email: 'not an address' }, 'no-identifier'],
    [{}, 'no-identifier'],
    [{ hs_linkedin_url: 'https://www.linkedin.com/company/acme' }, 'no-identifier'],
    [{ firstname: 'Jane', lastname: '-', website: 'acme.com' }, 'no-identifier'],
    [{ firstname: 'n/a', lastname: 'unknown', website: 'acme.com' }, 'no-identifier'],
    [{ firstname: 'jane@acme.com', lastname: 'Doe', website: 'acme.com' }, 'no-identifier'],
    [{ ...URL_OF_JANE, hs_contact_enrichment_opt_out: 'true' }, 'opted-out'],
  ])('%j is skipped: %s', (properties, reason) => {
    expect(asked('contacts', properties)).toBe(reason);
  });

  it('the first question that fits, in the order of the policy, and the others only where they may be paid', () => {
    const record = {
      ...URL_OF_JANE,
      ...NAME,
      email: 'jane@acme.com',
      website: 'acme.com',
      phone: '+4930901820',
    };
    const operations = (questions: Questions) => {
      const found = asked('contacts', record, { questions });
      return Array.isArray(found) ? found.map(([operation]) => operation) : found;
    };
    expect(operations({})).toEqual(['personProfile']);
    expect(operations({ fallThrough: true })).toEqual([
      'personProfile',
      'reverseEmail',
      'lookUpPerson',
      'reversePhone',
    ]);
    expect(operations({ contacts: ['reversePhone', 'personProfile'] })).toEqual(['reversePhone']);
    expect(operations({ contacts: ['lookUpPerson'], fallThrough: true })).toEqual(['lookUpPerson']);
  });
});

describe('choosing the question for a company', () => {
  it.each<[Record<string, string>, string]>([
    [{ domain: 'acme.com' }, 'acme.com'],
    [{ website: 'http://shop.acme.co.uk/x?y=1' }, 'acme.co.uk'],
    [{ domain: 'acme.com', linkedin_company_page: 'https://linkedin.com/company/acme' }, 'acme.com'],
    [{ linkedin_company_page: 'http://de.linkedin.com/company/acme/' }, 'https://linkedin.com/company/acme'],
    [
      { domain: 'gmail.com', linkedin_company_page: 'linkedin.com/company/acme' },
      'https://linkedin.com/company/acme',
    ],
  ])('%j: company profile', (properties, parameter) => {
    expect(asked('companies', properties)).toEqual([['companyProfile', parameter, 1]]);
  });

  it.each([
    [{ funding: true }, 3],
    [{ technology: true }, 2],
    [{ funding: true, technology: true }, 4],
  ])('with %j by policy it costs %i, for what some field takes', (companies, price) => {
    expect(asked('companies', { domain: 'acme.com' }, { questions: { companies } })).toEqual([
      ['companyProfile', 'acme.com', price],
    ]);
  });

  it('without a domain or a page there is nothing to ask by', () => {
    expect(asked('companies', { name: 'Acme' })).toBe('no-company-identifier');
  });
});

describe('untidy values of HubSpot', () => {
  it.each([
    'https://www.linkedin.com/in/jane-doe/overlay/contact-info/',
    'https://www.linkedin.com/in/jane-doe/recent-activity/all/',
    'https://www.linkedin.com/in/jane-doe/details/experience/',
    'https://www.linkedin.com/in/jane-doe/zh-hans',
    'https://www.linkedin.com/in/jane-doe/?locale=de_DE',
    'https://www.linkedin.com/in/Jane-Doe;https://twitter.com/jane',
    'https://www.linkedin.com/in/jane-doe, https://www.linkedin.com/in/other',
    'https://www.linkedin.com/in/jane-doe | https://xing.com/jane',
    'https://www.linkedin.com/comm/in/jane-doe?lipi=urn%3Ali',
    'https://www.linkedin.com/mwlite/in/jane-doe',
    'https://m.linkedin.com/in/jane-doe/',
    'de.linkedin.com/in/jane-doe/en',
    'linkedin.com/in/jane-doe#experience',
    'http://linkedin.com/in/jane%2Ddoe/',
    'https://https://www.linkedin.com/in/jane-doe',
    '//www.linkedin.com/in/jane-doe',
    'LinkedIn: www.linkedin.com/in/jane-doe (private)',
    '<https://www.linkedin.com/in/jane-doe>',
    'https://www.google.com/url?q=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fjane-doe%2F&sa=D',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fjane-doe%3Fx&data=1',
  ])('a profile is looked up by its name alone: %s', (hs_linkedin_url) => {
    expect(asked('contacts', { hs_linkedin_url })).toEqual([
      ['personProfile', 'https://linkedin.com/in/jane-doe', 3],
    ]);
  });

  it.each([
    ['https://www.linkedin.com/in/ACoAABkLmNoPqRsTuVwXyZ/', 'https://linkedin.com/in/ACoAABkLmNoPqRsTuVwXyZ'],
    ['https://LinkedIn.com/in/ACwAAAaBcDeFgHiJk', 'https://linkedin.com/in/ACwAAAaBcDeFgHiJk'],
    ['linkedin.com/pub/Jane-Doe/12/34a/5b6?trk=x', 'https://linkedin.com/pub/jane-doe/12/34a/5b6'],
    ['linkedin.com/pub/jane-doe/details', 'https://linkedin.com/pub/jane-doe'],
    ['https://www.linkedin.com/in/j%C3%BCrgen-k%C3%B6nig/', 'https://linkedin.com/in/jürgen-könig'],
  ])('what tells people apart stays: %s', (hs_linkedin_url, url) => {
    expect(asked('contacts', { hs_linkedin_url })).toEqual([['personProfile', url, 3]]);
  });

  it.each([
    'https://www.linkedin.com/in/',
    'https://www.linkedin.com/in/me',
    'https://www.linkedin.com/in/null',
    'https://www.linkedin.com/in/your-profile',
    'https://www.linkedin.com/in/unknown/',
    'https://www.linkedin.com/feed/',
    'https://www.linkedin.com/sales/lead/ACwAAA1234567890,NAME',
    'https://www.linkedin.com/posts/jane-doe_hiring-activity-7',
    'https://www.linkedin.com/company/acme',
    'https://notlinkedin.com.example/in',
    'n/a',
  ])('no lookup is bought by what is no profile: %s', (hs_linkedin_url) => {
    expect(asked('contacts', { hs_linkedin_url })).toBe('no-identifier');
  });

  it.each([
    'https://www.linkedin.com/company/acme/posts/?feedView=all',
    'https://www.linkedin.com/company/acme/admin/dashboard/',
    'https://www.linkedin.com/company/acme/products/',
    'https://www.linkedin.com/company/acme/life/culture',
    'https://www.linkedin.com/company/Acme/about/',
    'https://m.linkedin.com/organization-guest/company/acme',
    'linkedin.com/company/acme;linkedin.com/company/other',
  ])('a page is looked up by its name alone: %s', (linkedin_company_page) => {
    expect(asked('companies', { linkedin_company_page })).toEqual([
      ['companyProfile', 'https://linkedin.com/company/acme', 1],
    ]);
  });

  it.each([
    ...['kari@online.no', 'jan@ziggo.nl', 'eva@comhem.se', 'eva@hotmail.se', 'jo@fastmail.com', 'jo@tuta.io'],
    ...['jo@duck.com', 'jo@gmx.ch', 'jo@tutanota.com', 'jo@posteo.de', 'jo@saunalahti.fi', 'jo@hispeed.ch'],
    ...['jo@net.hr', 'jo@proximus.be', 'jo@plusnet.com', 'jo@abv.bg', 'jo@vodafone.de', 'jo@mozmail.com'],
  ])('an address of a mail provider buys nothing: %s', (email) => {
    expect(asked('contacts', { email })).toBe('free-mail-only');
  });

  it.each([
    ...['post', 'biuro', 'accueil', 'amministrazione', 'rechnung', 'administratie', 'faktura', 'kundtjanst'],
    ...['segreteria', 'comptabilite', 'facturacion', 'recepcao', 'ksiegowosc', 'titkarsag', 'asiakaspalvelu'],
    ...['podatelna', 'muhasebe', 'info.de', 'info-1', 'sales2', 'donotreply', 'no-reply', 'bewerbung'],
  ])('an office buys nothing: %s@', (mailbox) => {
    expect(asked('contacts', { email: `${mailbox}@acme.com` })).toBe('role-mailbox');
  });

  it.each([
    ['jane@gmail.com', 'jane@acme.com'],
    ['info@acme.com', 'jane@acme.com'],
    ['jane@gmail.com', 'jane@web.de;sales@acme.com;Jane@Acme.com;jane@other.com'],
    ['', 'jane@acme.com'],
    ['test@acme.com', 'jane@acme.com'],
  ])('the first business address is the question: %s and %s', (email, hs_additional_emails) => {
    expect(asked('contacts', { email, hs_additional_emails })).toEqual([
      ['reverseEmail', 'jane@acme.com', 1],
    ]);
  });

  it.each([
    ...['null', 'None', 'N/A', '-', '.', '?', 'unknown', 'Last Name', 'Nachname', 'xxx', 'D.', 'D***', 'MBA'],
  ])('a last name that is none buys nothing: %s', (lastname) => {
    expect(asked('contacts', { firstname: 'Jane', lastname, website: 'acme.com' })).toBe('no-identifier');
  });

  it.each([
    ['🚀 Jane', 'Doe, MBA', 'Jane Doe'],
    ['Dr. Jane', 'Doe (she/her)', 'Jane Doe'],
    ['Jane &amp; ', 'O&#39;Neil', "Jane & O'Neil"],
    ['  Jane ', 'Doe | Sales Leader', 'Jane Doe'],
  ])('a name is asked for without ornaments: %s %s', (firstname, lastname, name) => {
    expect(asked('contacts', { firstname, lastname, website: 'acme.com' })).toEqual([
      ['lookUpPerson', `acme.com ${name}`, 3],
    ]);
  });

  it.each([
    ...['zoho.com', 'alibaba.com', 'bt.com', 'facebook.com', 'https://www.shopify.com/', 'WWW.Google.com'],
    ...['telia.com', 'x.com'],
  ])('a bare domain that stands on a company is looked up: %s', (domain) => {
    const [[, by] = []] = asked('companies', { domain }) as [string, string][];
    expect(by).toBe(domain.toLowerCase().replace(/^https:\/\/|www\.|\/$/g, ''));
  });

  it.each([
    ...['facebook.com/acme', 'acme.wixsite.com', 'sites.google.com/acme', 'acme', 'acme.invalid', 'n/a'],
    ...[
      'example.com',
      'yourdomain.com',
      'acme,com',
      'info@',
      '192.168.0.1',
      'localhost',
      'http://',
      'xxx.com',
    ],
  ])('a domain that identifies no company buys nothing: %s', (domain) => {
    expect(asked('companies', { domain })).toBe('no-company-identifier');
  });

  it.each(['+1 000 000 0000', '+49 1234567', '+10000000000', '555-1234', '+44 20 **** 1234', 'n/a'])(
    'a phone that is none buys nothing: %s',
    (phone) => {
      const questions: Questions = { contacts: ['reversePhone'] };
      expect(asked('contacts', { phone }, { questions })).toBe('no-identifier');
    },
  );

  it('a page goes before the bare domain of a shared host', () => {
    const page = { linkedin_company_page: 'linkedin.com/company/acme', domain: 'facebook.com' };
    expect(asked('companies', page)).toEqual([['companyProfile', 'https://linkedin.com/company/acme', 1]]);
  });
});

describe('what needs no question', () => {
  const { fields } = policyWith();
  const full = Object.fromEntries(fields.companies.map(({ property }) => [property, 'something']));

  it('a record in which every property that may be filled is filled', () => {
    expect(asked('companies', { ...full, domain: 'acme.com' })).toBe('nothing-to-fill');
    expect(asked('companies', { ...full, domain: 'acme.com', city: ' ' })).not.toBe('nothing-to-fill');
    // Most countries have no codes of states: one that is missing is nothing to pay for.
    expect(asked('companies', { ...full, domain: 'acme.com', hs_state_code: '' })).toBe('nothing-to-fill');
  });

  it('but one that holds a value of ours is asked about, because it may go stale', () => {
    const contact = Object.fromEntries(fields.contacts.map(({ property }) => [property, 'something']));
    const filled = { ...contact, ...URL_OF_JANE, email: 'jane@acme.com' };
    expect(asked('contacts', filled)).toBe('nothing-to-fill');
    expect(asked('contacts', filled, { isOurs: (property) => property === 'jobtitle' })).toEqual([
      ['personProfile', 'https://linkedin.com/in/jane-doe', 1],
    ]);
  });

  it('an answer that is paid for comes before a question of a higher rank', () => {
    const record = { ...URL_OF_JANE, email: 'jane@acme.com' };
    const isPaidFor: PlanInput['isPaidFor'] = ({ operation }) => operation === 'reverseEmail';
    expect(asked('contacts', record, { isPaidFor })).toEqual([['reverseEmail', 'jane@acme.com', 1]]);
    expect(asked('companies', { ...full, domain: 'acme.com' }, { isPaidFor: () => true })).toEqual([
      ['companyProfile', 'acme.com', 1],
    ]);
  });
});

describe('the highest price of a rule', () => {
  const LACKS = { linkedin_company_page: 'https://linkedin.com/company/acme' };
  const options = { funding: true, technology: true };

  it.each<[number, readonly string[]]>([
    [1, []],
    [2, ['technology']],
    [3, ['funding']],
    [4, ['funding', 'technology']],
  ])('of %i credits pays for each option that still fits: %j', (maxCredits, bought) => {
    const planned = plan('companies', LACKS, { maxCredits, questions: { companies: options } });
    expect(planned.kind === 'ask' && planned.questions.map((question) => question.options)).toEqual([bought]);
  });

  it('holds for a question whose answer was bought before, and asks it once', () => {
    const record = { ...URL_OF_JANE, email: 'jane@acme.com' };
    const questions = { wantPhone: true, fallThrough: true } as const;
    const isPaidFor = ({ operation }: { readonly operation: string }) => operation === 'personProfile';
    expect(asked('contacts', record, { questions, maxCredits: 2, isPaidFor })).toEqual([
      ['personProfile', 'https://linkedin.com/in/jane-doe', 1],
      ['reverseEmail', 'jane@acme.com', 1],
    ]);
  });

  it('buys nothing where only an option could fill what is missing, and it does not pay for that', () => {
    const isWritable = (property: string) => property === 'email';
    expect(asked('contacts', URL_OF_JANE, { maxCredits: 2, isWritable })).toBe('above-maximum');
    expect(asked('contacts', URL_OF_JANE, { maxCredits: 3, isWritable })).toEqual([
      ['personProfile', 'https://linkedin.com/in/jane-doe', 3],
    ]);
  });
});
