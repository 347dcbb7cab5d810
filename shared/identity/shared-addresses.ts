import providers from 'email-providers/all.json' with { type: 'json' };
import { parse } from 'tldts';
import type { ObjectType } from '#shared/crm';
import { profileUrl, registrableDomain } from './web-address.ts';

// Mailboxes of offices and machines, in the languages of the larger markets.
const ROLES = new Set(
  (
    'abuse accounting accounts accountspayable accountsreceivable ad admin administracao administracion ' +
    'administration administrator admissions ads advertising affiliates alerts all ap ar backoffice billing ' +
    'bonjour booking bookings buchhaltung buero business career careers ceo cfo clients comercial commercial ' +
    'community compliance compras comunicacao comunicacion contact contactus contacto contato cto customer ' +
    'customercare customers customerservice customersupport datenschutz demo dev developer developers ' +
    'devops direccion dpo einkauf email empleo employment enquiries enquiry everyone events export feedback ' +
    'finance financeiro ftp gdpr general geral hallo hello help helpdesk hi hola hostmaster hr info ' +
    'informatica information inquiries inquiry international investor investors invoice invoices it itsupport ' +
    'jobs kontakt kundenservice legal list logistics mail mailer mailerdaemon management marketing media mis ' +
    'news newsletter no-reply nobody noc noreply notification notifications office offices oficina ops order ' +
    'orders partner partners payments payroll people personal postmaster pr presse press prensa privacy ' +
    'procurement production project projects purchase purchasing qa receipts reception recruiting recruitment ' +
    'recruiter registration rh root sales secretaria secretary security sekretariat service services shipping ' +
    'shop spam social staff stats store subscribe suporte support sysadmin talent team tech technical ' +
    'training unsubscribe usenet uucp vendas ventas verkauf vertrieb web webmaster welcome werbung www'
  ).split(' '),
);

/** Whether a local part belongs to an office or a machine. It can end with a number, a branch or a language. */
export function isRoleMailbox(mailbox: string): boolean {
  const plain = mailbox.toLowerCase();
  const [first = ''] = plain.split(/[._-]/);
  const joined = plain.replace(/[._-]/g, '');
  if (ROLES.has(plain) || ROLES.has(joined) || ROLES.has(joined.replace(/\d+$/, ''))) return true;
  return ROLES.has(first) && /^[a-z-]+[._-](?:[a-z]{2}|\d+|team|department|dept|office|desk)$/.test(plain);
}

const FREE_MAIL: ReadonlySet<string> = new Set(providers);

/** Whether a domain belongs to a public mail provider, so that it does not show a person's company. */
export function isFreeMailDomain(domain: string): boolean {
  return FREE_MAIL.has(domain.toLowerCase());
}

// Networks, link pages, short links and site builders, where anyone can have a page.
const SHARED_HOSTS = hosts(
  'linkedin.com lnkd.in facebook.com fb.com fb.me instagram.com twitter.com x.com t.co youtube.com youtu.be ' +
    'tiktok.com pinterest.com reddit.com threads.net snapchat.com whatsapp.com wa.me telegram.org t.me ' +
    'discord.com discord.gg tumblr.com vk.com weibo.com wechat.com xing.com quora.com medium.com substack.com ' +
    'mastodon.social bsky.app twitch.tv vimeo.com soundcloud.com linktr.ee bio.link beacons.ai carrd.co ' +
    'about.me linkin.bio taplink.cc campsite.bio solo.to lnk.bio bit.ly tinyurl.com goo.gl ow.ly rebrand.ly ' +
    'wixsite.com wix.com squarespace.com weebly.com wordpress.com blogspot.com blogger.com webflow.io ' +
    'godaddysites.com jimdosite.com jimdo.com strikingly.com site123.me webnode.com webnode.page ' +
    'business.site sites.google.com notion.site github.io gitlab.io netlify.app vercel.app herokuapp.com ' +
    'pages.dev web.app firebaseapp.com azurewebsites.net cloudfront.net amazonaws.com myshopify.com ' +
    'bigcartel.com page.link g.page',
);

// Companies whose sites also have other people's shops, profiles and documents.
const SHARED_WITH_PATH = hosts(
  'amazon.com amazon.de amazon.co.uk amazon.fr ebay.com ebay.de ebay.co.uk etsy.com alibaba.com ' +
    'aliexpress.com indiamart.com tradeindia.com mercadolibre.com google.com apple.com github.com gitlab.com ' +
    'bitbucket.org yelp.com tripadvisor.com trustpilot.com crunchbase.com wellfound.com glassdoor.com ' +
    'indeed.com upwork.com fiverr.com behance.net dribbble.com calendly.com typeform.com eventbrite.com ' +
    'meetup.com airtable.com notion.so spotify.com shopify.com wikipedia.org',
);

/** Whether an address is a page on a shared host, so that its domain does not show a company. */
export function isSharedHost(text: string): boolean {
  const { hostname, domain } = parse(text.trim());
  const known = [hostname?.replace(/^www\./, ''), domain, registrableDomain(text)];
  const isOn = (list: ReadonlySet<string>) => known.some((host) => host != null && list.has(host));
  return isOn(SHARED_HOSTS) || (isOn(SHARED_WITH_PATH) && hasPath(text));
}

/** Pages of a network about one person or one company. Search, post and sales pages do not count. */
const PAGES: Readonly<Record<ObjectType, RegExp>> = {
  contacts: /^https:\/\/linkedin\.com\/(?:in|pub)\/[^/]/,
  companies: /^https:\/\/linkedin\.com\/(?:company|school|showcase)\/[^/]/,
};

/** Returns the normal form of a person's profile or a company's page; `undefined` for other addresses. */
export function pageOf(text: string, objectType: ObjectType): string | undefined {
  const url = profileUrl(text);
  return url === undefined || PAGES[objectType].test(url) || !isSharedHost(url) ? url : undefined;
}

function hasPath(text: string): boolean {
  return /^(?:[a-z]+:\/\/)?[^/]+\/[^?#]/i.test(text.trim());
}

function hosts(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
