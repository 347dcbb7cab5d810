import { parse } from 'tldts';
import { registrableDomain } from './web-address.ts';

// Networks, link pages, short links and site builders: everybody has a page there.
const NEVER = hosts(
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

// Companies in their own right whose sites also hold everybody's shops, profiles and documents.
const WITH_PATH = hosts(
  'amazon.com amazon.de amazon.co.uk amazon.fr ebay.com ebay.de ebay.co.uk etsy.com alibaba.com ' +
    'aliexpress.com indiamart.com tradeindia.com mercadolibre.com google.com apple.com github.com gitlab.com ' +
    'bitbucket.org yelp.com tripadvisor.com trustpilot.com crunchbase.com wellfound.com glassdoor.com ' +
    'indeed.com upwork.com fiverr.com behance.net dribbble.com calendly.com typeform.com eventbrite.com ' +
    'meetup.com airtable.com notion.so spotify.com shopify.com wikipedia.org',
);

/** Whether an address is a page on a host of everybody's pages, so that its domain tells no company. */
export function isSharedHost(text: string): boolean {
  const { hostname, domain } = parse(text.trim());
  const known = [hostname?.replace(/^www\./, ''), domain, registrableDomain(text)];
  const isOn = (list: ReadonlySet<string>) => known.some((host) => host != null && list.has(host));
  return isOn(NEVER) || (isOn(WITH_PATH) && hasPath(text));
}

function hasPath(text: string): boolean {
  return /^(?:[a-z]+:\/\/)?[^/]+\/[^?#]/i.test(text.trim());
}

function hosts(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
