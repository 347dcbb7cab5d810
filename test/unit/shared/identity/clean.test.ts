import { describe, expect, it } from 'vitest';
import {
  type Cleaned,
  cleanAmount,
  cleanCompanyDomain,
  cleanCompanyName,
  cleanCurrency,
  cleanDay,
  cleanEmail,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanHost,
  cleanId,
  cleanParagraphs,
  cleanPastYear,
  cleanPersonName,
  cleanPhone,
  cleanPlace,
  cleanPostalCode,
  cleanText,
  cleanUrl,
  cleanWebsite,
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
]);

table('a title', (text: string) => cleanText(text, 'job-title'), [
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
]);
