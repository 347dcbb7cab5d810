import { parse } from 'tldts';
import { MAIL_PROVIDERS } from './mail-providers.ts';
import { ownAddresses } from './own-addresses.ts';
import { ROLE_MAILBOXES } from './role-mailboxes.ts';
import { registrableDomain } from './web-address.ts';

function isRole(mailbox: string): boolean {
  return ROLE_MAILBOXES.has(mailbox) || ownAddresses().roleMailboxes.has(mailbox);
}

/** Whether a local part belongs to an office or a machine. A number, a branch or a language can follow. */
export function isRoleMailbox(mailbox: string): boolean {
  const plain = mailbox.toLowerCase();
  const [first = ''] = plain.split(/[._-]/);
  const joined = plain.replace(/[._-]/g, '');
  if (isRole(plain) || isRole(joined) || isRole(joined.replace(/\d+$/, ''))) return true;
  // A short word can also be a person's first name: `dev.patel`.
  return (
    isRole(first) &&
    (first.length > 3 || /[._-](?:[a-z]{2}|\d+|team|department|dept|office|desk)$/.test(plain))
  );
}

/** Whether a domain belongs to a public mail provider, so that it does not show a person's company. */
export function isFreeMailDomain(domain: string): boolean {
  const plain = domain.toLowerCase();
  return MAIL_PROVIDERS.has(plain) || ownAddresses().mailProviders.has(plain);
}

// Networks, link pages, short links and site builders, where anyone can have a page.
const SHARED_HOSTS = hosts(
  'linkedin.com facebook.com fb.com instagram.com twitter.com x.com youtube.com youtu.be ' +
    'tiktok.com pinterest.com reddit.com threads.net snapchat.com whatsapp.com wa.me telegram.org t.me ' +
    'discord.com discord.gg tumblr.com vk.com weibo.com wechat.com xing.com quora.com medium.com substack.com ' +
    'mastodon.social bsky.app twitch.tv vimeo.com soundcloud.com linktr.ee bio.link beacons.ai carrd.co ' +
    'about.me linkin.bio taplink.cc campsite.bio solo.to lnk.bio ' +
    'wixsite.com wix.com squarespace.com weebly.com wordpress.com blogspot.com blogger.com webflow.io ' +
    'godaddysites.com jimdosite.com jimdo.com strikingly.com site123.me webnode.com webnode.page ' +
    'business.site sites.google.com notion.site github.io gitlab.io netlify.app vercel.app herokuapp.com ' +
    'pages.dev web.app firebaseapp.com azurewebsites.net cloudfront.net amazonaws.com myshopify.com ' +
    'bigcartel.com page.link g.page canva.site framer.website framer.app ueniweb.com yolasite.com jimdofree.com ' +
    'zyrosite.com mystrikingly.com bubbleapps.io softr.app glideapp.io lovable.app replit.app onrender.com fly.dev ' +
    'surge.sh super.site hubspotpagebuilder.com hs-sites.com sharepoint.com onmicrosoft.com forms.gle angel.co f6s.com',
);

// Short links, hosts that lead elsewhere, sellers of parked domains, and archives: a page there is nobody's site.
const NOBODYS_HOSTS = hosts(
  'lnkd.in fb.me t.co bit.ly tinyurl.com goo.gl g.co ow.ly rebrand.ly buff.ly is.gd cutt.ly l.facebook.com ' +
    'lm.facebook.com l.instagram.com out.reddit.com safelinks.protection.outlook.com urldefense.com ' +
    'urldefense.proofpoint.com sedo.com sedoparking.com dan.com afternic.com hugedomains.com parkingcrew.net ' +
    'bodis.com undeveloped.com archive.org',
);

/** Whether a host only leads elsewhere, so that none of its pages is anybody's site. */
export function isNobodysHost(host: string): boolean {
  return NOBODYS_HOSTS.has(host) || [...NOBODYS_HOSTS].some((each) => host.endsWith(`.${each}`));
}

// Companies whose sites also have other people's shops, profiles and documents, below a path or a subdomain.
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
  const isPage = hasPath(text) || known[0] !== domain;
  return isOn(SHARED_HOSTS) || isNobodysHost(known[0] ?? '') || (isOn(SHARED_WITH_PATH) && isPage);
}

/** Whether something follows the host of an address. */
export function hasPath(text: string): boolean {
  return /^(?:[a-z]+:\/\/)?[^/?#]+\/[^/?#]/i.test(text.trim());
}

function hosts(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
