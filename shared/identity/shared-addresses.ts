import known from 'email-providers/all.json' with { type: 'json' };
import { parse } from 'tldts';
import { ownAddresses } from './host.ts';
import { registrableDomain } from './web-address.ts';

// Providers that the package lacks, by country.
const MORE =
  // International and private
  'fastmail.com fastmail.net tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me duck.com ' +
  'zohomail.com zohomail.eu posteo.de posteo.net posteo.eu mailfence.com startmail.com ctemplar.com disroot.org ' +
  'riseup.net mozmail.com passmail.net passinbox.com simplelogin.com anonaddy.com anonaddy.me addy.io ' +
  'relay.firefox.com skiff.com onmail.com gmx.ch gmx.co.uk yahoo.no yahoo.nl live.se live.no ' +
  // Germany, Austria, Switzerland
  'vodafone.de unitybox.de unity-mail.de netcologne.de ewetel.net ewe.net alice-dsl.net mnet-online.de m-net.de ' +
  'kabelbw.de osnanet.de aon.at a1.net chello.at utanet.at inode.at hispeed.ch sunrise.ch swissonline.ch ' +
  // Netherlands, Belgium
  'ziggo.nl xs4all.nl upcmail.nl telfort.nl casema.nl quicknet.nl proximus.be scarlet.be pandora.be ' +
  // Nordic and Baltic countries
  'online.no broadpark.no frisurf.no start.no getmail.no lyse.net altibox.no telenor.no hotmail.no comhem.se ' +
  'hotmail.se telia.com bredband.net tele2.se passagen.se mail.dk jubii.dk stofanet.dk youmail.dk kolumbus.fi ' +
  'elisanet.fi suomi24.fi saunalahti.fi pp.inet.fi ' +
  // France, United Kingdom, Ireland
  'numericable.fr bbox.fr cegetel.net plusnet.com ' +
  // Italy, Spain, Portugal, Greece
  'telefonica.net clix.pt netcabo.pt otenet.gr in.gr ' +
  // Poland, Czechia, Slovakia, Hungary, the Balkans, Turkey
  'azet.sk zoznam.sk volny.cz citromail.hu mail.bg net.hr t-com.hr siol.net mynet.com superonline.com ttmail.com ' +
  // Further away
  'sohu.com telkomsa.net mweb.co.za vodamail.co.za';

const MAIL_PROVIDERS: ReadonlySet<string> = new Set([...known, ...MORE.split(' ')]);

/** Mailboxes of offices and machines, which several people read. One row for each language or group of languages. */
const ROLES = {
  machines:
    'abuse admin administrator all alerts bounce bounces daemon dev everyone export ftp hostmaster list ' +
    'lists mail mailer mailerdaemon mis news noreply noc donotreply notification notifications ' +
    'nepasrepondre nichtantworten postmaster qa registration root spam stats staff subscribe sysadmin tech ' +
    'unsubscribe usenet uucp web webmaster www',
  english:
    'accounting accounts accountspayable accountsreceivable administration admissions ads advertising ' +
    'affiliates ap ar backoffice billing booking bookings business career careers ceo cfo clients community ' +
    'compliance contact contactus cto customer customercare customers customerservice customersupport demo ' +
    'developer developers devops dpo email employment enquiries enquiry events feedback finance frontdesk ' +
    'gdpr general hallo hello help helpdesk hi hr info infos information inquiries inquiry international ' +
    'investor investorrelations investors ir invoice invoices invoicing it itsupport jobs legal logistics ' +
    'management marketing media newsletter office offices operations ops order orders partner partners ' +
    'partnerships payments payroll people personal pr press pressoffice privacy procurement production ' +
    'project projects purchase purchasing receipts reception recruiting recruitment recruiter reservations ' +
    'sales secretary security service services shipping shop social store support talent team technical ' +
    'training warehouse welcome',
  german:
    'ad anfrage anfragen auftrag bestellung bestellungen bewerbung bewerbungen buchhaltung buero datenschutz ' +
    'debitoren einkauf empfang geschaeftsfuehrung geschaeftsleitung karriere kanzlei kontakt kreditoren ' +
    'kundendienst kundenservice lager mahnwesen personalabteilung poststelle praxis presse rechnung ' +
    'rechnungen redaktion reservierung rezeption sekretariat technik veranstaltungen verkauf versand ' +
    'vertrieb verwaltung werbung werkstatt zentrale',
  french:
    'accueil achat achats administratif bonjour candidature candidatures commande commandes commercial ' +
    'commerciale communication compta comptabilite devis direction emploi facturation factures gestion ' +
    'juridique livraison logistique mairie prensa qualite reclamation recrutement renseignements rh sav ' +
    'secretariat serviceclient serviceclients standard technique vente ventes',
  italian:
    'acquisti amministrazione assistenza clienti contabilita direzione fatturazione fatture informazioni ' +
    'lavoraconnoi logistica magazzino ordini ordine pec personale posta prenotazioni preventivi risorseumane ' +
    'segreteria spedizioni ufficio ufficiostampa vendite',
  iberian:
    'administracao administracion administrativo almacen atencionalcliente atendimento clientes comercial ' +
    'compras comunicacao comunicacion contabilidad contabilidade contacto contato consultas correo dep ' +
    'direccion direcao diretoria empleo encomendas escritorio facturacion facturas faturacao faturamento ' +
    'financeiro geral gerencia hola informacion informatica loja oficina orcamentos pedidos presupuestos ' +
    'recepcao recepcion recrutamento recursoshumanos reservas rrhh sac secretaria soporte suporte tienda ' +
    'vendas ventas',
  dutch:
    'administratie bestellingen boekhouding crediteuren debiteuren directie factuur facturen inkoop ' +
    'klantenservice kantoor magazijn personeelszaken planning receptie secretariaat vacatures verkoop welkom',
  nordic:
    'asiakaspalvelu bestallning bogholderi ekonomi faktura fakturor forsaljning hallinto kontor kundeservice ' +
    'kundservice kundtjanst laskut laskutus lonn myynti okonomi ordre post posti regnskab regnskap rekry ' +
    'resepsjon salg salgs salj tilaukset toimisto vaxel',
  eastern:
    'biroul birou biuro contabilitate comenzi dyrekcja ertekesites facturare fakturace faktury handel ' +
    'handlowy iletisim iroda kadry kancelar kancelaria kancelarija kapcsolat ksiegowosc muhasebe nabava ' +
    'narudzbe obchod objednavky oferty penzugy pisarna poczta podatelna praca prodaja predaj prodej ' +
    'racunovodstvo recepce recepcio recepcja rekrutacja rendeles resurseumane satis servis serwis sklep ' +
    'sprzedaz szamlazas tajnistvo titkarsag ucetni ugyfelszolgalat uprava vanzari zakupy zamowienia zarzad',
} as const;

const ROLE_MAILBOXES: ReadonlySet<string> = new Set(Object.values(ROLES).flatMap((list) => list.split(' ')));

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
    'business.site sites.google.com maps.google.com docs.google.com drive.google.com play.google.com ' +
    'apps.apple.com notion.site github.io gitlab.io netlify.app vercel.app herokuapp.com ' +
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
  return isOn(SHARED_HOSTS) || isNobodysHost(known[0] ?? '') || (isOn(SHARED_WITH_PATH) && hasPath(text));
}

/** Whether something follows the host of an address. */
export function hasPath(text: string): boolean {
  return /^(?:[a-z]+:\/\/)?[^/?#]+\/[^/?#]/i.test(text.trim());
}

function hosts(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
