import { describe, expect, it } from 'vitest';
import {
  addressKey,
  type Cleaned,
  cleanAmount,
  cleanCity,
  cleanCompanyDomain,
  cleanCompanyName,
  cleanCurrency,
  cleanDay,
  cleanEmail,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanHost,
  cleanId,
  cleanPageUrl,
  cleanParagraphs,
  cleanPastYear,
  cleanPersonName,
  cleanPhone,
  cleanPictureUrl,
  cleanPlace,
  cleanPostalCode,
  cleanProfileUrl,
  cleanText,
  cleanTitle,
  cleanUrl,
  cleanWebsite,
  normalIdentity,
} from '#shared/identity';

const NOW_MS = Date.parse('2029-06-01T12:00:00.000Z');

/** A row of a table: what is given, and the value, or `!` and why there is none. */
type Row<Given> = readonly [given: Given, expected: string | number];

function table<Given>(title: string, clean: (given: Given) => Cleaned<string | number>, rows: Row<Given>[]) {
  describe(title, () => {
    it.each(rows)('%j: %j', (given, expected) => {
      const { value, unusable } = clean(given);
      expect(value ?? `!${unusable}`).toBe(expected);
    });
  });
}

table('the name of a person', cleanPersonName, [
  ['Jane', 'Jane'],
  ['O’Leary', 'O’Leary'],
  ['van der Berg', 'van der Berg'],
  ['Núñez-Ortiz', 'Núñez-Ortiz'],
  ['J. R.', 'J. R.'],
  ['李', '李'],
  ['Bo', 'Bo'],
  ['Mia', 'Mia'],
  ['Masterson', 'Masterson'],
  ['Coll·lell', 'Coll·lell'],
  ['LinkedIn Member', '!placeholder'],
  ['Facebook User', '!placeholder'],
  ['First Name Last Name', '!placeholder'],
  ['Lastname', '!placeholder'],
  ['null', '!placeholder'],
  ['Unknown', '!placeholder'],
  ['N/A', '!placeholder'],
  ['test', '!placeholder'],
  ['asdf', '!placeholder'],
  ['aaaa', '!placeholder'],
  ['No Name', '!placeholder'],
  ['.', '!placeholder'],
  ['-', '!placeholder'],
  ['🚀', '!placeholder'],
  ['', '!blank'],
  ['\u200b', '!blank'],
  ['S***h', '!masked'],
  ['J•••e', '!masked'],
  ['Smi...', '!masked'],
  ['D.', '!masked'],
  ['█████', '!masked'],
  ['[redacted]', '!masked'],
  ['M?ller', '!malformed'],
  ['M\ufffdller', '!malformed'],
  ['jane@acme.example', '!malformed'],
  ['12345', '!malformed'],
  ['User 81724', '!malformed'],
  ['https://acme.example', '!malformed'],
  ['MBA', '!malformed'],
  ['🚀 JANE', 'JANE'],
  ['👩🏽‍💻 Jane', 'Jane'],
  ['DOE, MBA, PMP®', 'DOE'],
  ['Doe Ph.D.', 'Doe'],
  ['Doe (She/Her)', 'Doe'],
  ['Robert (Bob)', 'Robert'],
  ['Doe | Sales Leader', 'Doe'],
  ['Doe - we are hiring', 'Doe'],
  ['Dr. Jane', 'Jane'],
  ['Prof. Dr. Jane', 'Jane'],
  ['Zoë &amp; Tim', 'Zoë & Tim'],
  ['M&uuml;ller', 'Müller'],
  ['MÃ¼ller', 'Müller'],
  ['<b>Jane</b>', 'Jane'],
  ['Ja\u0000ne', 'Jane'],
  ['Zoe\u0308', 'Zoë'],
  ['Deleted User', '!placeholder'],
  ['Surname Unknown', '!placeholder'],
  ['{{first_name}}', '!placeholder'],
  ['Support', '!placeholder'],
  ['Doe, M.Ed.', 'Doe'],
  ['Doe, FCIPD', 'Doe'],
  ['Doe MD, FACS', 'Doe'],
  ['Doe MCIPS', 'Doe'],
  ['Doe ∙ 3rd', 'Doe'],
  ['Doe He/Him', 'Doe'],
  ['Doe at Acme', 'Doe'],
  ['Doe™', 'Doe'],
  ['Jane "Janie"', 'Jane'],
  ['#OpenToWork Jane', 'Jane'],
  ['Dipl.-Inf. Jane', 'Jane'],
  ['Dott. Jane', 'Jane'],
  ['𝐉𝐚𝐧𝐞', 'Jane'],
  ['DOE, JANE', 'DOE, JANE'],
  ['Sales', 'Sales'],
]);

table('the name of a company', cleanCompanyName, [
  ['Acme', 'Acme'],
  ['3M', '3M'],
  ['E*TRADE', 'E*TRADE'],
  ['The Independent', 'The Independent'],
  ['Test Rite', 'Test Rite'],
  ['Student Loans Company', 'Student Loans Company'],
  ['SÃO PAULO AIR', 'SÃO PAULO AIR'],
  ['Smith &amp; Sons', 'Smith & Sons'],
  ['Smith &amp;amp; Sons', 'Smith & Sons'],
  ['L&#039;Or', "L'Or"],
  ['Procter&nbsp;Gamble', 'Procter Gamble'],
  ['R&D <Labs>', 'R&D <Labs>'],
  ['<strong>Acme</strong>', 'Acme'],
  ['Acme\u00ae', 'Acme®'],
  ['Company Name', '!placeholder'],
  ['N/A', '!placeholder'],
  ['unknown', '!placeholder'],
  ['test', '!placeholder'],
  ['xxx', '!placeholder'],
  ['Self-employed', '!placeholder'],
  ['Selbständig', '!placeholder'],
  ['Freelancer', '!placeholder'],
  ['Indépendant', '!placeholder'],
  ['Student', '!placeholder'],
  ['Retired', '!placeholder'],
  ['Looking for new opportunities', '!placeholder'],
  ['Stealth Startup', '!placeholder'],
  ['-', '!placeholder'],
  ['#N/A', '!placeholder'],
  ['[object Object]', '!placeholder'],
  ['A***e', '!masked'],
  ['########', '!masked'],
  ['Freelance / Self-employed', '!placeholder'],
  ['Self Employed (Contractor)', '!placeholder'],
  ['Currently Unemployed', '!placeholder'],
  ['Unnamed company', '!placeholder'],
  ['Sin empresa', '!placeholder'],
  ['Gap Year', '!placeholder'],
  ['Employer not specified', '!placeholder'],
  ['Attention Required! | Cloudflare', '!placeholder'],
  ['Page not found', '!placeholder'],
  ['Just another WordPress site', '!placeholder'],
  ['Acme: Overview | LinkedIn', 'Acme'],
  ['Home - Acme', 'Acme'],
  ['Acme null', 'Acme'],
  ['@Acme', 'Acme'],
  ['Acme 🚀', 'Acme'],
  ['Sans Souci', 'Sans Souci'],
  ['Home Depot', 'Home Depot'],
  ['The Select Company', 'The Select Company'],
]);

table('a title', cleanTitle, [
  ['CTO', 'CTO'],
  ['Retired', 'Retired'],
  ['Head of R&amp;D', 'Head of R&D'],
  ['Ingénieur\u00a0système', 'Ingénieur système'],
  ['<p>CTO</p>', 'CTO'],
  ['Job Title', '!placeholder'],
  ['TBD', '!placeholder'],
  ['n/a', '!placeholder'],
  ['---', '!placeholder'],
  ['V* of S***s', '!masked'],
  ['null null', '!placeholder'],
  ['Title not found', '!placeholder'],
  ['No Data Found', '!placeholder'],
  ['Please update', '!placeholder'],
  ['Kein Titel', '!placeholder'],
  ['Add title', '!placeholder'],
  ['Show more', '!placeholder'],
  ['Open to work', '!placeholder'],
  ['· 3rd', '!placeholder'],
  ['Title (hidden)', '!placeholder'],
  ['0', '!malformed'],
  ['Works at', '!malformed'],
  ['Sales De…', '!masked'],
  ['• CTO', 'CTO'],
  ['"CTO"', 'CTO'],
  ['CTO 🚀', 'CTO'],
  ['CTO at undefined', 'CTO'],
  ['CTO at [Company]', 'CTO'],
  ['CTO, N/A', 'CTO'],
  ['CTO (CTO)', 'CTO'],
  ['\\u0026 CTO', 'CTO'],
  ['CTO & Founder', 'CTO & Founder'],
  ['Test Engineer', 'Test Engineer'],
  ['Sales Manager (EMEA)', 'Sales Manager (EMEA)'],
]);

table('a place', cleanPlace, [
  ['Berlin', 'Berlin'],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['Washington, D.C.', 'Washington, D.C.'],
  ['NA', 'NA'],
  ['北京', '北京'],
  ['K&ouml;ln', 'Köln'],
  ['*****', '!masked'],
  ['B*****', '!masked'],
  ['xxx', '!placeholder'],
  ['City', '!placeholder'],
  ['Worldwide', '!placeholder'],
  ['n/a', '!placeholder'],
  ['12345', '!malformed'],
  ['Choose a city', '!placeholder'],
  ['Multiple Locations', '!placeholder'],
  ['Fully Remote', '!placeholder'],
  ['Outside of US', '!placeholder'],
  ['N/A - Non US', '!placeholder'],
  ['None of the above', '!placeholder'],
  ['123 Main St', '!placeholder'],
  ['Musterstraße 1', '!placeholder'],
  ['Berlin null', 'Berlin'],
  ['📍 Berlin', 'Berlin'],
  ['Berlin (Remote)', 'Berlin'],
  ['Location: Berlin', 'Berlin'],
  ['12 Main Street', '12 Main Street'],
]);

table('a text of several lines', cleanParagraphs, [
  ['<p>We make&nbsp;pumps.</p>', 'We make pumps.'],
  ['<p>We make pumps.</p><p>And pipes.</p>', 'We make pumps.\n\nAnd pipes.'],
  ['Pumps<br/>Pipes', 'Pumps\nPipes'],
  ['<ul><li>Pumps</li><li>Pipes</li></ul>', 'Pumps\n\nPipes'],
  ['Pumps &lt;b&gt;and&lt;/b&gt; pipes', 'Pumps and pipes'],
  ['<script>alert(1)</script>Pumps', 'Pumps'],
  ['<a href="https://acme.example">Acme</a> pumps', 'Acme pumps'],
  ['We love <3 and a < b', 'We love <3 and a < b'],
  ['One\r\ntwo\t three', 'One\ntwo three'],
  ['Don’t', 'Don’t'],
  ['DonâÂ\u0080Â\u0099t', 'DonâÂ\u0080Â\u0099t'.replace(/[\u0080\u0099]/g, '')],
  ['Itâ€™s ours', 'It’s ours'],
  ['Pumps *** since 1999 *** for ships and mills', 'Pumps *** since 1999 *** for ships and mills'],
  ['Who we are\n_____\nA maker of pumps and pipes', 'Who we are\n_____\nA maker of pumps and pipes'],
  ['Pu*** and pi***', '!masked'],
  ['Lorem ipsum', '!placeholder'],
  ['No data', '!placeholder'],
  ['<p></p>', '!blank'],
  ['This domain is for sale!', '!placeholder'],
  ['You need to enable JavaScript to run this app.', '!placeholder'],
  ['Description not available', '!placeholder'],
  ['{{description}}', '!placeholder'],
  ['<![CDATA[We make pumps.]]>', 'We make pumps.'],
  ['[vc_row]We make pumps.[/vc_row]', 'We make pumps.'],
  ['We make pumps. … see more', 'We make pumps.'],
  ['\\u003cp\\u003eWe make pumps.', 'We make pumps.'],
  ['We make pumps.\\n\\n', 'We make pumps.'],
  ['We make pumps.window.dataLayer = [];', 'We make pumps.'],
  ['We make pumps. (function(w, d) { w.x = d; })', 'We make pumps.'],
  [
    'We staff each function (sales, finance) of a mill.',
    'We staff each function (sales, finance) of a mill.',
  ],
  ['**We make pumps.**', 'We make pumps.'],
]);

table('an email address', cleanEmail, [
  ['jane@acme.example', 'jane@acme.example'],
  ['Jane.Doe+x@Acme.example', 'jane.doe+x@acme.example'],
  ['mailto:jane@acme.example', 'jane@acme.example'],
  ['mailto:jane@acme.example?subject=Hi', 'jane@acme.example'],
  ['Jane Doe <jane@acme.example>', 'jane@acme.example'],
  [' jane@acme.example. ', 'jane@acme.example'],
  ['info@acme.example', 'info@acme.example'],
  ['tester.lee@acme.example', 'tester.lee@acme.example'],
  ['jane@gmail.com', 'jane@gmail.com'],
  ['m***h@maskco.com', '!masked'],
  ['*@maskco.com', '!masked'],
  ['jane@m*****.com', '!masked'],
  ['j...@maskco.com', '!masked'],
  ['[email protected]', '!masked'],
  ['email_not_unlocked@domain.com', '!placeholder'],
  ['jane@domain.com', '!placeholder'],
  ['noemail@acme.example', '!placeholder'],
  ['test@acme.example', '!placeholder'],
  ['first.last@acme.example', '!placeholder'],
  ['n/a', '!placeholder'],
  ['none', '!placeholder'],
  ['', '!blank'],
  ['jane', '!malformed'],
  ['jane@acme', '!malformed'],
  ['jane@@acme.example', '!malformed'],
  ['jane doe@acme.example', '!malformed'],
  ['jane@acme.example,tim@acme.example', '!malformed'],
  ['123@123.com', '!placeholder'],
  ['{first}.{last}@maskco.com', '!placeholder'],
  ['catchall@maskco.com', '!placeholder'],
  ['deleted_user_123@maskco.com', '!placeholder'],
  ['jane@mailinator.com', '!placeholder'],
  ['acme@acme.example', 'acme@acme.example'],
]);

table('a domain of a company', cleanCompanyDomain, [
  ['acme.example', 'acme.example'],
  ['https://www.Acme.example/about', 'acme.example'],
  ['shop.acme.co.uk', 'shop.acme.co.uk'],
  ['müller.de', 'xn--mller-kva.de'],
  ['acme.example.', 'acme.example'],
  ['amazon.com', 'amazon.com'],
  ['facebook.com', '!shared-host'],
  ['wixsite.com', '!shared-host'],
  ['acme.wixsite.com', '!shared-host'],
  ['linktr.ee', '!shared-host'],
  ['gmail.com', '!shared-host'],
  ['domain.com', '!placeholder'],
  ['n/a', '!placeholder'],
  ['acme', '!malformed'],
  ['192.0.2.1', '!malformed'],
  ['jane@acme.example', '!malformed'],
  ['a***e.com', '!masked'],
]);

table('a host', cleanHost, [
  ['https://www.facebook.com/acme', 'facebook.com'],
  ['localhost', '!malformed'],
]);

table('an address of a page', cleanUrl, [
  ['https://network.example/in/jane-roe', 'https://network.example/in/jane-roe'],
  ['linkedin.com/in/jane-roe', 'https://linkedin.com/in/jane-roe'],
  ['http://www.acme.example', 'http://www.acme.example'],
  ['https://acme.example/a?b=1&amp;c=2', 'https://acme.example/a?b=1&c=2'],
  ['https://linkedin.com/in/', '!placeholder'],
  ['https://linkedin.com/in/null', '!placeholder'],
  ['https://linkedin.com/in/j***e', '!masked'],
  ['https://domain.com', '!placeholder'],
  ['n/a', '!placeholder'],
  ['http://', '!malformed'],
  ['javascript:alert(1)', '!malformed'],
  ['https://user:pw@acme.example', '!malformed'],
  ['https://192.0.2.1/a', '!malformed'],
  ['https://acme.example?utm_source=x', 'https://acme.example'],
  ['https://acme.example/a?utm_source=x&b=1', 'https://acme.example/a?b=1'],
  ['HTTPS://WWW.ACME.EXAMPLE/About', 'https://www.acme.example/About'],
  ['https:///acme.example', 'https://acme.example'],
  ['//cdn.acme.example/a.png', 'https://cdn.acme.example/a.png'],
  ['https://linkedin.com/in/unavailable', '!placeholder'],
  ['https://hugedomains.com/domain_profile.cfm?d=acme', '!placeholder'],
  ['http://tbd.com', '!placeholder'],
]);

table('a website', cleanWebsite, [
  ['acme.example', 'https://acme.example'],
  ['https://facebook.com/acme', 'https://facebook.com/acme'],
  ['https://acme.wixsite.com/', 'https://acme.wixsite.com/'],
  ['https://gmail.com', '!shared-host'],
  ['http://www.facebook.com/', '!shared-host'],
  ['https://wixsite.com', '!shared-host'],
]);

table('a phone number', cleanPhone, [
  ['+1 202-555-0123', '+1 202-555-0123'],
  ['+49 (0)30 901820', '+49 (0)30 901820'],
  ['tel:+12025550123', '+12025550123'],
  ['030 901820', '030 901820'],
  ['+10000000000', '!sentinel'],
  ['0', '!sentinel'],
  ['+11111111111', '!sentinel'],
  ['1234567890', '!sentinel'],
  ['+1 555 *** ****', '!masked'],
  ['n/a', '!placeholder'],
  ['call me', '!malformed'],
  ['+1 2', '!malformed'],
  ['+1 (234) 567-8900', '!sentinel'],
  ['(555) 555-1234', '!sentinel'],
]);

table('a number of employees', cleanHeadCount, [
  [250, 250],
  [1, 1],
  [0, '!sentinel'],
  [-1, '!sentinel'],
  [2_147_483_647, '!sentinel'],
  [Number.NaN, '!sentinel'],
  [1.5, '!malformed'],
  [7_900_000_001, '!malformed'],
]);

table('an amount', cleanAmount, [
  [12_000_000, 12_000_000],
  [0.5, 0.5],
  [0, '!sentinel'],
  [-12, '!sentinel'],
  [99_999_999, '!sentinel'],
  [Number.POSITIVE_INFINITY, '!sentinel'],
  [123_456_789, '!sentinel'],
  [1e16, '!malformed'],
]);

table('a year', (year: number) => cleanPastYear(year, NOW_MS), [
  [1999, 1999],
  [1900, 1900],
  [2029, 2029],
  [2030, '!sentinel'],
  [9999, '!sentinel'],
  [0, '!sentinel'],
  [1, '!sentinel'],
  [1999.5, '!malformed'],
  [1000, '!sentinel'],
]);

table('a day', (text: string) => cleanDay(text, NOW_MS), [
  ['2024-03-01', '2024-03-01'],
  ['2024-03-01T00:00:00+02:00', '2024-03-01'],
  ['2024-03-01T23:30:00-08:00', '2024-03-01'],
  ['2024-03-01T00:00:00Z', '2024-03-01'],
  ['0000-00-00', '!sentinel'],
  ['1900-01-01', '!sentinel'],
  ['1970-01-01', '!sentinel'],
  ['1899-12-30', '!sentinel'],
  ['9999-12-31', '!sentinel'],
  ['2099-01-01', '!sentinel'],
  ['2024-02-30', '!malformed'],
  ['2024', '!malformed'],
  ['03/01/2024', '!malformed'],
  ['n/a', '!placeholder'],
  ['1969-12-31', '!sentinel'],
  ['1980-01-01', '!sentinel'],
]);

table('a range of employees', cleanEmployeeRange, [
  ['11-50', '11-50'],
  ['51 to 200 employees', '51 to 200 employees'],
  ['10,001+', '10,001+'],
  ['1', '1'],
  ['0-1 employees', '0-1 employees'],
  ['Myself Only', 'Myself Only'],
  ['0', '!sentinel'],
  ['-1', '!sentinel'],
  ['50-11', '!malformed'],
  ['small', '!malformed'],
  ['unknown', '!placeholder'],
  ['Jan-50', '!malformed'],
]);

table('a currency', cleanCurrency, [
  ['EUR', 'EUR'],
  ['usd', 'USD'],
  ['XXX', '!placeholder'],
  ['N/A', '!placeholder'],
  ['$', '!placeholder'],
  ['ABC', '!malformed'],
]);

table('an id', cleanId, [
  ['org-77', 'org-77'],
  ['0', '!sentinel'],
  ['-1', '!sentinel'],
  ['00000000-0000-0000-0000-000000000000', '!sentinel'],
  ['null', '!placeholder'],
]);

table('a postal code', cleanPostalCode, [
  ['78701', '78701'],
  ['SW1A 1AA', 'SW1A 1AA'],
  ['00000', '!sentinel'],
  ['xxxxx', '!placeholder'],
  ['*****', '!masked'],
  ['10115 Berlin', '10115'],
  ['3061 PA', '3061 PA'],
  ['PLZ', '!placeholder'],
  ['1', '!malformed'],
  ['10115.0', '!malformed'],
  ['11111', '!sentinel'],
]);

table('a city', cleanCity, [
  ['Berlin, Germany', 'Berlin'],
  ['10115 Berlin', 'Berlin'],
  ['Washington, D.C.', 'Washington'],
  ['Remote, Worldwide', '!placeholder'],
  ['City, State', '!placeholder'],
]);

table('an industry', (text: string) => cleanText(text, 'industry'), [
  ['Mining', 'Mining'],
  ['Other', '!placeholder'],
  ['Select Industry', '!placeholder'],
]);

table('a profile', cleanProfileUrl, [
  ['https://www.linkedin.com/in/jane-roe', 'https://www.linkedin.com/in/jane-roe'],
  ['https://network.example/jane-roe', 'https://network.example/jane-roe'],
  ['https://www.linkedin.com/feed/', '!malformed'],
  ['https://www.linkedin.com/company/acme', '!malformed'],
]);

table('a page of a company', cleanPageUrl, [
  ['https://www.linkedin.com/company/acme', 'https://www.linkedin.com/company/acme'],
  ['https://www.linkedin.com/company/setup/new/', '!placeholder'],
  ['https://www.linkedin.com/in/jane-roe', '!malformed'],
]);

table('a logo', cleanPictureUrl, [
  ['https://acme.example/logo.png', 'https://acme.example/logo.png'],
  ['https://acme.example/img/no-image.png', '!placeholder'],
  ['https://acme.example/company-ghost.png', '!placeholder'],
  ['https://via.placeholder.com/150', '!placeholder'],
]);

/** The shape of a result, because a failing test must not print 65,000 characters. */
function lengthOrReason({ value, unusable }: Cleaned<string | number>): number | string {
  return typeof value === 'string' ? value.length : `!${unusable}`;
}

describe('a text that is longer than any field', () => {
  it.each([
    ['a name', cleanPersonName, 'a'.repeat(2_001), '!malformed'],
    ['a name in markup', cleanPersonName, `<b>${'a'.repeat(2_001)}</b>`, '!malformed'],
    ['a title', cleanTitle, 'a'.repeat(70_000), '!malformed'],
    ['an address', cleanUrl, `https://acme.example/${'a'.repeat(2_000)}`, '!malformed'],
    ['a description', cleanParagraphs, 'a '.repeat(32_770), '!malformed'],
    ['a description that HubSpot can store', cleanParagraphs, 'a '.repeat(32_760), 65_519],
    ['a description with a long row of dashes', cleanParagraphs, `Acme${'-'.repeat(65_000)}`, 65_004],
  ] as const)('%s', (_title, clean, text, expected) => {
    expect(lengthOrReason(clean(text))).toBe(expected);
  });
});

const TEXT_CLEANERS: readonly ((text: string) => Cleaned<string | number>)[] = [
  cleanPersonName,
  cleanCompanyName,
  cleanTitle,
  cleanCity,
  (text) => cleanText(text, 'other'),
  cleanParagraphs,
  cleanEmail,
  cleanUrl,
  cleanProfileUrl,
  cleanWebsite,
  cleanHost,
  cleanPhone,
  cleanEmployeeRange,
];

// Each of these once took seconds to minutes: a pattern needed the square or the cube of the length.
// All cleaners remove comments by the same pattern, so one of them stands for all.
describe.each([
  ...['-', '“', '/', '.', ', ', '[a_', '1,', ' at ', 'a@'].map((unit) => ({ unit, cleaners: TEXT_CLEANERS })),
  { unit: '<!--', cleaners: [cleanParagraphs] },
])('a row of $unit', ({ unit, cleaners }) => {
  const row = `a${unit.repeat(65_000 / unit.length)}b`;

  it('ends in a value or a reason', () => {
    const results = cleaners.map((clean) => clean(row));
    expect(
      results.filter(({ value, unusable }) => (value === undefined) === (unusable === undefined)),
    ).toEqual([]);
  });

  it('is compared as the value of a record', () => {
    const record = {
      objectType: 'contacts',
      id: '1',
      properties: { hs_linkedin_url: row, website: row },
      companyDomains: [],
    };
    expect(normalIdentity(record, 'hs_linkedin_url')?.length).toBeGreaterThan(0);
    expect(addressKey(row).length).toBeGreaterThan(0);
  });
});
