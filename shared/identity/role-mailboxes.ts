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

/** Whether a local part is an office's or a machine's, with or without a number, a branch or a language behind it. */
export function isRoleMailbox(mailbox: string): boolean {
  const plain = mailbox.toLowerCase();
  const [first = ''] = plain.split(/[._-]/);
  const joined = plain.replace(/[._-]/g, '');
  if (ROLES.has(plain) || ROLES.has(joined) || ROLES.has(joined.replace(/\d+$/, ''))) return true;
  return ROLES.has(first) && /^[a-z-]+[._-](?:[a-z]{2}|\d+|team|department|dept|office|desk)$/.test(plain);
}
