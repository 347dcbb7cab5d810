/** Mailboxes of offices and machines, which several people read. One row for each language or group of languages. */
const ROLES = {
  machines:
    'abuse admin administrator all alerts bounce bounces daemon dev everyone export ftp hostmaster list lists mail ' +
    'mailer mailerdaemon mis news no-reply nobody noc noreply donotreply notification notifications nepasrepondre ' +
    'nichtantworten postmaster qa registration root spam stats staff subscribe sysadmin tech unsubscribe usenet ' +
    'uucp web webmaster www',
  english:
    'accounting accounts accountspayable accountsreceivable administration admissions ads advertising affiliates ap ' +
    'ar backoffice billing booking bookings business career careers ceo cfo clients community compliance contact ' +
    'contactus cto customer customercare customers customerservice customersupport demo developer developers devops ' +
    'dpo email employment enquiries enquiry events feedback finance frontdesk gdpr general hallo hello help helpdesk hi hr ' +
    'info infos information inquiries inquiry international investor investorrelations investors ir invoice invoices invoicing it itsupport ' +
    'jobs legal logistics management marketing media newsletter office offices operations ops order orders partner ' +
    'partners partnerships payments payroll people personal pr press pressoffice privacy procurement production project projects ' +
    'purchase purchasing receipts reception recruiting recruitment recruiter reservations sales secretary security ' +
    'service services shipping shop social store support talent team technical training warehouse welcome',
  german:
    'ad anfrage anfragen auftrag bestellung bestellungen bewerbung bewerbungen buchhaltung buero datenschutz ' +
    'debitoren einkauf empfang geschaeftsfuehrung geschaeftsleitung karriere kanzlei kontakt kreditoren kundendienst ' +
    'kundenservice lager mahnwesen personalabteilung poststelle praxis presse rechnung rechnungen redaktion ' +
    'reservierung rezeption sekretariat technik veranstaltungen verkauf versand vertrieb verwaltung werbung werkstatt zentrale',
  french:
    'accueil achat achats administratif bonjour candidature candidatures commande commandes commercial commerciale ' +
    'communication compta comptabilite devis direction emploi facturation factures gestion juridique livraison ' +
    'logistique mairie prensa qualite reclamation recrutement renseignements rh sav secretariat serviceclient ' +
    'serviceclients standard technique vente ventes',
  italian:
    'acquisti amministrazione assistenza clienti commerciale contabilita direzione fatturazione fatture ' +
    'informazioni lavoraconnoi logistica magazzino ordini ordine pec personale posta prenotazioni preventivi ' +
    'risorseumane segreteria spedizioni ufficio ufficiostampa vendite',
  iberian:
    'administracao administracion administrativo almacen atencionalcliente atendimento clientes comercial compras ' +
    'comunicacao comunicacion contabilidad contabilidade contacto contato consultas correo dep direccion direcao ' +
    'diretoria empleo encomendas escritorio facturacion facturas faturacao faturamento financeiro geral gerencia ' +
    'hola informacion informatica logistica loja oficina orcamentos pedidos presupuestos prensa recepcao recepcion ' +
    'recrutamento recursoshumanos reservas rrhh sac secretaria soporte suporte tienda vendas ventas',
  dutch:
    'administratie bestellingen boekhouding crediteuren debiteuren directie factuur facturen inkoop klantenservice ' +
    'kantoor magazijn personeelszaken planning receptie secretariaat vacatures verkoop welkom',
  nordic:
    'asiakaspalvelu bestallning bogholderi booking ekonomi faktura fakturor forsaljning hallinto kontor kundeservice ' +
    'kundservice kundtjanst laskut laskutus lonn myynti okonomi order ordre post posti regnskab regnskap rekry ' +
    'resepsjon salg salgs salj tilaukset toimisto vaxel',
  eastern:
    'biroul birou biuro contabilitate comenzi dyrekcja ertekesites facturare fakturace faktury handel handlowy info ' +
    'iletisim iroda kadry kancelar kancelaria kancelarija kapcsolat kontakt ksiegowosc muhasebe nabava narudzbe obchod ' +
    'objednavky oferty office penzugy pisarna poczta podatelna praca prodaja predaj prodej racunovodstvo recepce ' +
    'recepcio recepcja rekrutacja rendeles resurseumane satis sekretariat servis serwis sklep sprzedaz szamlazas ' +
    'tajnistvo titkarsag ucetni ugyfelszolgalat uprava vanzari zakupy zamowienia zarzad',
} as const;

export const ROLE_MAILBOXES: ReadonlySet<string> = new Set(
  Object.values(ROLES).flatMap((list) => list.split(' ')),
);
