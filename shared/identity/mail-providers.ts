import known from 'email-providers/all.json' with { type: 'json' };

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

export const MAIL_PROVIDERS: ReadonlySet<string> = new Set([...known, ...MORE.split(' ')]);
