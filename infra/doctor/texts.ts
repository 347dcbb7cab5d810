import { alarmMailProblem } from '#shared/alerts/adapters';
import { counted, figure, percent } from '#shared/kernel';
import { accountMismatch } from '#shared/records';
import { type ParamsIn, type RowWords, type TextRow, textRow } from '../text-row.ts';

/** A result of a check: the verdict, what is seen, and what to do. */
interface CheckRow<P> extends TextRow<P> {
  readonly verdict: 'ok' | 'warn' | 'fail';
}

function rowOf(verdict: CheckRow<never>['verdict']) {
  return <const Seen extends RowWords, const Advice extends RowWords = ''>(
    seen: Seen,
    advice?: Advice,
  ): CheckRow<ParamsIn<Seen> & ParamsIn<Advice>> => ({ verdict, ...textRow(seen, advice) });
}

const ok = rowOf('ok');
const warn = rowOf('warn');
const fail = rowOf('fail');

const NTP = 'synchronise the clock of this machine by NTP';
const TRY_LATER = 'try again later, or see {setting}';
const SEE_NETWORK = 'see the network, and {setting}';
const SEE_TOKEN = 'see the check of the HubSpot token';
const SET_ADDRESS = 'set {setting} to the address of the data service';
const GIVE_SCOPES = 'give the app of {key} the scopes of infra/hubspot-app and upload it again';
const SEE_WEBHOOK = 'see that the system runs and that {url} leads to it';
const SEE_APP = 'check that {url}/ and all paths below it lead to this installation';
const WEBHOOKS_FILE = 'infra/hubspot-app/src/app/webhooks/webhooks-hsmeta.json';

/** What to do if HubSpot's deliveries are refused because of their signatures. */
export const REFUSED_ADVICE =
  "set HUBSPOT_CLIENT_SECRET to the client secret of the app's Auth tab, and WEBHOOK_PUBLIC_URL to the address that HubSpot has";

interface Subscriptions {
  readonly needed: readonly string[];
  /** Those that the file of the HubSpot app lacks. */
  readonly lacking: readonly string[];
}

interface OtherAccount {
  readonly own: string;
  readonly by: 'pin' | 'setting';
  readonly portal: string;
}

export const CHECK_TEXTS = {
  // The stores, the books, the stops and the clocks.
  'tables-answer': ok('all answer, in {path}'),
  'tables-fail': fail(
    '{said}',
    'check that the stack or the data folder is complete, and that you may read it',
  ),
  'stores-fail': fail('{said}', 'see the stores'),
  'queues-answer': ok(queueWords),
  'dead-letters': warn(
    ({ count }: { count: number }) => counted(count, 'dead letter'),
    'see "Dead letters" in the runbook, then run: {command}',
  ),
  'no-worker': warn('no worker is running', 'run: npm start'),
  'books-hold': ok(({ entries }: Entries) => `${counted(entries, 'entry')}, all hold`),
  'newest-books-hold': ok(
    ({ entries, command }: Entries & { command: string }) =>
      `the newest ${counted(entries, 'entry')} hold; to verify all: ${command}`,
  ),
  'books-differ': fail(
    ({ seq, problem, more }: { seq: number; problem: string; more: number }) =>
      `entry ${seq} of the ledger does not hold: ${problem}${more > 0 ? `, and ${more} more` : ''}`,
    'see "Books differ" in the runbook, then run: {command}',
  ),
  'books-in-time': ok('not ahead of the clock'),
  'books-ahead': fail(
    'the newest entry says {at}',
    'see "Books ahead of time" in the runbook, then run: {command}',
  ),
  'no-doubts': ok('none'),
  'doubts-open': warn(
    ({ count }: { count: number }) => `${counted(count, 'lookup')} with an unknown outcome`,
    'see "Doubts" in the runbook, then run: {command}',
  ),
  'budgets-left': ok(budgetWords),
  'budgets-used-up': warn(budgetWords, '{usedUp}: wait until it resets, or raise it in the policy'),
  'budgets-are-zero': fail(
    (_: Budgets) => 'all are 0, so no lookup is bought',
    'set budgets in the policy, or CREDITS_PER_DAY',
  ),
  'nothing-stopped': ok('nothing is stopped'),
  'stops-reported-elsewhere': ok('other checks report each stop'),
  stopped: fail(stopWords, '{whatToDo}'),
  'stopped-by-budget': warn(stopWords, '{whatToDo}'),
  'stopped-by-person': fail(stopWords, 'when the reason is gone, run: {command}'),
  'probe-not-done': ok('not done; to learn what a miss costs: {command}'),
  'probe-agrees': ok('the policy fits what the probe found'),
  'probe-differs': warn(
    'the policy differs from what the probe found ({advices})',
    ({ whatToDo }: { whatToDo: readonly string[] }) => whatToDo.join('; '),
  ),
  'no-unknown-misses': ok('no unpublished text was seen'),
  'unknown-misses': warn(
    ({ count, last, words }: { count: number; last: string; words: readonly string[] }) =>
      `${figure(count)} or more misses with unpublished texts, the last at ${last}: ${words.map((each) => `"${each}"`).join(', ')}`,
    'check that these texts mean "no match": such answers are stored as misses',
  ),
  'clock-not-wrong': ok('not known to be wrong'),
  'clock-wrong': fail('{said}', NTP),
  'clock-right': ok(offWords),
  'clock-off': warn(offWords, NTP),
  'clock-far-off': fail((off: ClockOff) => `${offWords(off)}: signatures are refused`, NTP),

  // Addresses, keys and scopes.
  'key-accepted': ok(
    ({ workspace = 'unnamed' }: { workspace?: string | undefined }) => `accepted, workspace ${workspace}`,
  ),
  'requests-used-up': fail('{address} takes no more requests this minute', 'retry in a minute'),
  'key-refused': fail('{address} refuses the key', 'set {key} to an active key'),
  'key-refused-by-stranger': fail(
    "{address} answers with status 401, but without the data service's text for a wrong key",
    'set {key} to an active key, and see that {setting} is the address of the data service',
  ),
  'not-the-data-service': fail(
    ({ address, status }: Answered) =>
      `${address} answers ${status === undefined ? 'without a workspace' : `with status ${status}`}, but not as the data service does`,
    SET_ADDRESS,
  ),
  'data-service-unreachable': fail(unreachable, SET_ADDRESS),
  'data-service-fails': fail(failing, TRY_LATER),
  'token-accepted': ok('accepted by portal {portal}'),
  'token-refused': fail(
    ({ address, status }: Answered) => `${address} refuses the token with status ${status}`,
    tokenAdvice,
  ),
  'token-lacks-scope': fail(failing, GIVE_SCOPES),
  'not-hubspot': fail(
    ({ address, status }: Answered) => `${address} answers with status ${status}, but not as HubSpot does`,
    "set {setting} to HubSpot's address, or unset it",
  ),
  'hubspot-unreachable': fail(unreachable, SEE_NETWORK),
  'hubspot-fails': fail(failing, TRY_LATER),
  'hubspot-silent': fail(failing, SEE_NETWORK),
  'hubspot-limit': fail(
    failing,
    'wait a minute and try again; if it fails again, find the app that uses all requests of the account',
  ),
  'hubspot-daily-limit': fail(
    failing,
    'wait for midnight in the time zone of the account, and find the app that uses all requests',
  ),
  'hubspot-refuses-token': fail(failing, tokenAdvice),
  'hubspot-wrong-data-centre': fail(
    failing,
    ({ key = 'the access token' }: TokenKey) =>
      `create a new token in the account, whose data centre may have changed, and set ${key}`,
  ),
  'hubspot-refuses-read': fail(failing, 'give the app the scopes of infra/hubspot-app and upload it again'),
  'reads-allowed': ok('reads are allowed'),
  'scope-missing': fail('{address} refuses reads because the token lacks the scope {scope}', GIVE_SCOPES),
  'not-checked': warn(
    ({ status }: { status?: number }) =>
      `not checked, because HubSpot ${status === undefined ? 'did not answer' : `answered ${status}`}`,
    'see the check of "{cause}"',
  ),
  'write-scopes-not-checked': warn(
    'not checked, because that would need a write',
    'see that the app has crm.objects.*.write and crm.schemas.*.write for contacts and companies, as infra/hubspot-app has',
  ),

  // The HubSpot account, our app in it, and the alarm mail of a stack.
  'no-account-details': warn('HubSpot does not return the details of the account', SEE_TOKEN),
  'no-portal-yet': ok('no account is set yet: the first start uses {portal}'),
  'portal-is-own': ok(
    ({ portal, by }: { portal: string; by: 'pin' | 'setting' }) =>
      `events of ${portal} alone, ${by === 'pin' ? 'set at the first start' : 'as the setting says'}`,
  ),
  'portal-is-another': fail(mismatch('seen'), mismatch('advice')),
  'time-zone-fits': ok('{timeZone}, in HubSpot and in the policy'),
  'time-zone-differs': warn(
    "HubSpot's days are in {hubSpot}, the policy's in {policy}",
    "set timeZone: '{hubSpot}' in the policy if budget days should be HubSpot's days",
  ),
  'people-listed': ok('HubSpot users are listed who may approve, decide and resume'),
  'nobody-listed': warn(
    'no HubSpot user is listed in {lists}: only the command line can do it',
    'add the ids of HubSpot users to these lists of the policy; Settings > Users in HubSpot shows them',
  ),
  'no-amounts': ok('the policy writes no amounts'),
  'currency-unknown': warn(
    'HubSpot does not return the details of the account: no amount is written',
    SEE_TOKEN,
  ),
  'currency-fits': ok('{currency}; amounts in another currency are not written'),
  'currency-differs': warn(
    "the account's currency is {currency}: not written: {notWritten}; other amounts only if they are in {currency}",
    'to keep them, add fields without `currency` that write to your own properties',
  ),
  'app-known': ok('app {app}, as HubSpot says'),
  'app-as-set': ok('app {app}, as {setting} says; HubSpot does not say'),
  'app-is-another': fail(
    '{setting} is {set}, but the access token belongs to app {app}',
    'set {setting} to {app}',
  ),
  'app-not-set': warn(
    "the functions do not know it, because {setting} is not set, so other apps' writes count as ours",
    'deploy with -c {setting}={app}',
  ),
  'app-unknown': warn(
    ({ problem = '' }: { problem: string | undefined }) =>
      `not known, because ${problem}: other apps' writes count as ours`,
    "set {setting} to the app's id, which HubSpot shows on the app's Auth tab",
  ),
  'usage-not-returned': warn('HubSpot does not return it (status {status})', 'try again later'),
  'usage-fails': fail('{said}', 'see the usage of private apps in HubSpot'),
  'requests-left': ok(requestsLeft),
  'requests-scarce': warn(
    requestsLeft,
    ({ left, limit }: RequestsLeft) => `only ${percent(left / limit)} is left: no backfill today`,
  ),
  'no-requests-left': fail(requestsLeft, 'wait for the reset, and find the app that uses them all'),
  'only-installation': ok('no other installation was set up on this account later'),
  'another-installation': warn(
    'another installation of this program was set up on this HubSpot account: both buy and write the same records',
    'stop the other one (Ctrl-C on a laptop, npm run destroy for a stack) if it still runs, then run setup here',
  ),
  'no-mark': warn('this installation has left no mark in the account yet', 'run: {command}'),
  'mark-fails': fail('{said}', SEE_TOKEN),
  'alarm-mail-confirmed': ok('confirmed subscriptions: {confirmed}'),
  'no-alarm-mail': warn(alarmMail('seen'), alarmMail('advice')),
  'alarm-mail-unconfirmed': warn(alarmMail('seen'), alarmMail('advice')),
  'alarm-mail-reaches-nobody': fail(alarmMail('seen'), alarmMail('advice')),
  'alarm-mail-not-checked': warn(
    'not checked: {said}',
    'give your AWS role the permission sns:ListSubscriptionsByTopic',
  ),

  // Properties, and the policy's fields and rules.
  'properties-right': ok('all exist and have the right types'),
  'properties-conflict': fail(
    ({ conflicts }: { conflicts: readonly { name: string; reason: string }[] }) =>
      conflicts.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
    'in HubSpot, restore an archived one, give each the right type, then run: {command}',
  ),
  'properties-missing': fail('missing: {properties}', 'run: {command}'),
  'options-missing': fail('options are missing: {properties}', 'run: {command}'),
  'fields-writable': ok(writableWords),
  'fields-without-effect': warn(
    skippedWords,
    "these fields have no effect: create the properties in HubSpot, or set their fields to write: 'never' in the policy",
  ),
  'weights-unknown': warn(
    'uses weights for properties or choices that HubSpot does not have: {properties}',
    'correct or remove these rows of refresh.weights',
  ),
  'choices-fit': ok('a choice for each known value'),
  'choices-missing': warn(lackingWords, 'add or show these choices in HubSpot, and see: unmapped'),
  'job-is-whole': ok('has all properties of the job'),
  'job-is-split': warn(
    'does not have {properties}: a contact may then show the job of one employer and the name of another',
    "leave out group: 'none' in the policy's rules of these properties",
  ),
  'no-value-rules': ok(
    'no rule on written properties; HubSpot reports required properties only when a write fails',
  ),
  'value-rules': warn(
    ({ rules }: { rules: readonly string[] }) => rules.join('; '),
    'HubSpot refuses values that break a rule: relax the rule, or remove the field',
  ),
  'value-rules-not-returned': warn(
    'HubSpot does not return them (status {status})',
    'see the rules of the properties in HubSpot',
  ),
  'no-rules': ok('none: every record may be looked up'),
  'no-rule-allows': warn('no rule allows a lookup, so none is bought', 'change {setting}'),
  'rules-fit': ok(
    ({ rules }: { rules: readonly string[] }) => `${counted(rules.length, 'rule')}: ${rules.join(', ')}`,
  ),
  'rules-doubtful': warn(faultWords, 'change {setting}'),
  'rules-broken': fail(faultWords, 'change {setting}'),

  // What HubSpot calls: the webhook, the card and the action.
  'no-webhook-address': warn(
    'no webhook reaches this installation',
    'set WEBHOOK_PUBLIC_URL for webhooks; without it, the sweep finds new records while the system runs',
  ),
  'webhook-fails': fail('{said}', SEE_WEBHOOK),
  'webhook-answered': fail('{url} answered {status} instead of 200', SEE_WEBHOOK),
  'webhook-secret-differs': fail(
    '{url} refuses our signature: it has another secret or another address',
    "set HUBSPOT_CLIENT_SECRET to the client secret of the app's Auth tab, and the same public address, on both sides",
  ),
  'webhook-takes-forged': fail(
    '{url} answered {status} to a wrong signature instead of 401',
    'a proxy before the receiver answers in its place, or signatures are not checked',
  ),
  'webhook-answers': ok(
    '{url} takes signed deliveries and refuses others; see that HubSpot has this address',
  ),
  'deliveries-refused': fail(
    ({ count, reason, since, last }: { count: number; reason: string; since: string; last: string }) =>
      `${counted(count, 'delivery')} refused since ${since}, the last at ${last}, and none accepted since: ${reason}`,
    REFUSED_ADVICE,
  ),
  'subscriptions-not-checked': warn(
    'not checked: no access token can read the subscriptions of an app',
    `in HubSpot, see at the app's Webhooks that contact.privacyDeletion is active, as in ${WEBHOOKS_FILE}`,
  ),
  'subscriptions-needed': warn(
    ({ needed, lacking }: Subscriptions) =>
      `not checked, because no access token can: the policy's rules need changes of ${needed.join(', ')}${lacking.length > 0 ? `; the file lacks ${lacking.join(', ')}` : ''}`,
    ({ lacking }: Subscriptions) =>
      lacking.length > 0
        ? `run npm run deploy, or add them to ${WEBHOOKS_FILE}, and upload the app`
        : "in HubSpot, see at the app's Webhooks that contact.privacyDeletion and these changes are active; if not, upload the app",
  ),
  'app-unreachable': warn(
    'HubSpot cannot reach this installation',
    'set WEBHOOK_PUBLIC_URL, so that the card can reach the service',
  ),
  'account-unknown': warn('not checked: the account is not known yet', 'run setup first'),
  'app-fails': fail('{said}', SEE_APP),
  'app-answered': fail('{url}{path} answered {status} instead of 200', SEE_APP),
  'app-takes-forged': fail(
    ({ url, statuses }: { url: string; statuses: readonly number[] }) =>
      `${url} answered ${statuses.join(' and ')} to wrong signatures instead of 401`,
    'a proxy before the function answers in its place',
  ),
  'app-answers': ok('both answer under {url}/, to HubSpot only; see that the app names this address'),
};

function queueWords({
  queues,
}: {
  queues: readonly { queue: string; waiting: number; inHand: number }[];
}): string {
  return queues
    .map((each) => `${each.queue}: ${each.waiting} waiting, ${each.inHand} in progress`)
    .join('; ');
}

interface Entries {
  readonly entries: number;
}

interface Budgets {
  readonly budgets: readonly { budget: string; leftCredits: number; limitCredits: number }[];
}

function budgetWords({ budgets }: Budgets): string {
  return budgets
    .map((each) => `${each.budget}: ${figure(each.leftCredits)} of ${figure(each.limitCredits)} left`)
    .join('; ');
}

function stopWords({
  what,
  since,
  records = 0,
  isMore = false,
}: {
  stop: string;
  what: string;
  whatToDo: string;
  since?: string;
  records?: number;
  isMore?: boolean;
}): string {
  const times = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(records > 0 ? [`${counted(records, 'record')}${isMore ? ' or more' : ''} waiting`] : []),
  ].join(', ');
  return `${what}${times === '' ? '' : ` (${times})`}`;
}

interface ClockOff {
  readonly seconds: number;
  readonly isBehind: boolean;
}

function offWords({ seconds, isBehind }: ClockOff): string {
  return `this machine is ${seconds} s ${isBehind ? 'behind' : 'ahead'}`;
}

interface Answered {
  readonly address: string;
  readonly status: number | undefined;
}

function failing({ said, address }: { said: string; address?: string }): string {
  return address === undefined ? said : `${address} does not work: ${said}`;
}

interface TokenKey {
  readonly key?: string;
}

function tokenAdvice({ key = 'the access token' }: TokenKey): string {
  return `set ${key} to the token of the app's Auth tab`;
}

function unreachable({ address, cause }: { address: string; cause: string }): string {
  const known = CAUSES.find(([pattern]) => pattern.test(cause));
  return `${address} cannot be reached, because ${known?.[1] ?? cause}`;
}

/** Causes of failed connections, by Node's codes. */
const CAUSES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its name does not resolve'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|HTTP_TIMEOUT)$/, 'no answer came in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no route to it'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'its certificate is not accepted'],
  [/SSL|^EPROTO$/, 'it does not speak TLS'],
  [/^unknown$/, 'for an unknown reason'],
];

function mismatch(part: 'seen' | 'advice') {
  return ({ own, by, portal }: OtherAccount) =>
    accountMismatch({ portalId: own, by }, { portalId: portal })?.[part] ?? '';
}

interface RequestsLeft {
  readonly left: number;
  readonly limit: number;
  readonly resetsAt?: string | undefined;
}

function requestsLeft({ left, limit, resetsAt }: RequestsLeft): string {
  const until = resetsAt === undefined ? '' : `, reset at ${resetsAt}`;
  return `${figure(left)} of ${figure(limit)} left for all private apps together${until}`;
}

/** What is seen of the subscriptions of alarm mails, or what to do. */
function alarmMail(part: 'seen' | 'advice') {
  return (found: Parameters<typeof alarmMailProblem>[0]) => alarmMailProblem(found)?.[part] ?? '';
}

interface Fields {
  readonly fields: number;
  readonly missing: readonly string[];
  readonly readOnly: readonly string[];
}

function writableWords(found: Fields): string {
  const skipped = skippedWords(found);
  if (skipped === '') return `all ${found.fields} can be written`;
  return `${found.fields} can be written; skipped fields: ${skipped}`;
}

function skippedWords({ missing, readOnly }: Fields): string {
  return [
    ...(missing.length > 0 ? [`not in the portal: ${missing.join(', ')}`] : []),
    ...(readOnly.length > 0 ? [`read-only: ${readOnly.join(', ')}`] : []),
  ].join('; ');
}

interface Lacking {
  readonly lacking: readonly { property: string; choices: number; some: readonly string[] }[];
}

function lackingWords({ lacking }: Lacking): string {
  const words = lacking.map(({ property, choices, some }) => {
    const others = choices > some.length ? ' and others' : '';
    return `${property} lacks ${counted(choices, 'choice')}: ${some.join(', ')}${others}`;
  });
  return words.join('; ');
}

interface Faults {
  readonly faults: readonly { rule: string; code: string; problem: string }[];
}

function faultWords({ faults }: Faults): string {
  return faults.map(({ rule, problem }) => `"${rule}": ${problem}`).join('; ');
}
