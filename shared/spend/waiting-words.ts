import type { HubSpotFailureCode } from '#shared/crm';
import { command, type Wording, wording, wordingText } from '#shared/kernel';
import { type WaitingReason, waitingCause } from '#shared/records';

/** Why a record waits, for a person, and what there is to do. */
export interface WaitingWords {
  readonly why: string;
  readonly toDo: string;
}

const ITSELF = 'Nothing: it is tried again by itself.';

const NEXT_DAY = 'Nothing: it goes on when HubSpot counts anew.';

interface Words {
  readonly why: string;
  readonly toDo: Wording;
}

/** Of HubSpot's failures those that say more than their code. */
type Named = Record<Exclude<WaitingReason, HubSpotFailureCode>, Words> &
  Partial<Record<HubSpotFailureCode, Words>>;

const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    queued: { why: 'Came in masses, and waits for its turn.', toDo: 'Nothing: fresh leads go first.' },
    admitted: { why: 'Is about to be worked on.', toDo: 'Nothing.' },
    budget: {
      why: 'The budget does not pay for it now.',
      toDo: 'Raise the budget, or wait until it resets.',
    },
    'rate-limit': { why: "The vendor's rate is used.", toDo: 'Nothing: it goes on in its turn.' },
    'time-short': { why: 'The time of its worker was over.', toDo: ITSELF },
    'key-refused': {
      why: 'The data service refuses the API key.',
      toDo: 'Activate the API key, or set another one.',
    },
    'wrong-address': {
      why: 'The address of the data service is not its own.',
      toDo: 'Correct the address of the data service.',
    },
    'out-of-credits': {
      why: "The data service's own balance does not pay for it.",
      toDo: 'Buy credits and book them, or wait for their renewal.',
    },
    'charges-above-list': {
      why: 'The data service charged more than its price list.',
      toDo: 'Compare its usage list with your charges; a cheap question is tried from time to time.',
    },
    'too-many-doubts': {
      why: 'Requests in a row were left without an answer.',
      toDo: 'Check whether the data service works. It is tested again automatically.',
    },
    'stopped-by-person': {
      why: 'A person stopped spending.',
      toDo: wording`To go on, run: ${command('spend resume')}`,
    },
    'too-many-open': { why: 'Too many requests are in flight at once.', toDo: ITSELF },
    'service-unreachable': { why: 'The data service could not be reached.', toDo: ITSELF },
    'asked-by-another': { why: 'The same question is being asked for another record.', toDo: ITSELF },
    'free-sources-first': {
      why: 'A rule of the policy leaves it to free sources first.',
      toDo: 'Nothing: what is still blank is looked up afterwards.',
    },
    'rule-unreadable': {
      why: 'A rule of the policy reads a property that HubSpot does not have.',
      toDo: wording`Correct the rule, or create the property. To see both, run: ${command('policy check')}`,
    },
    'clock-wrong': { why: "This machine's clock is wrong.", toDo: 'Keep its time by NTP.' },
    'worker-gone': { why: 'Its worker was gone before it was done.', toDo: ITSELF },
    'changed-meanwhile': { why: 'It changed while a worker had it.', toDo: ITSELF },
    CHANGED_MEANWHILE: { why: 'It changed right before it was written.', toDo: ITSELF },
    'doubt-resolved': { why: 'Its request with an unknown outcome is resolved.', toDo: ITSELF },
    WRITE_UNCONFIRMED: { why: 'HubSpot did not confirm a write. Its history tells soon.', toDo: ITSELF },
    COMPANY_BEING_CREATED: { why: 'Another record creates its company.', toDo: ITSELF },
    HUBSPOT_RECORD_UNREACHABLE: { why: 'HubSpot did not serve this record.', toDo: ITSELF },
    HUBSPOT_TIME_SHORT: { why: 'The time of its worker was over.', toDo: ITSELF },
    HUBSPOT_REFUSES: {
      why: 'HubSpot refuses what was bought for it.',
      toDo: 'Mend what HubSpot says beside; then it goes on by itself.',
    },
    HUBSPOT_UNAUTHORIZED: {
      why: 'HubSpot refuses the access token.',
      toDo: 'Put a valid token into HUBSPOT_ACCESS_TOKEN, and restart or deploy with --replace-secrets.',
    },
    HUBSPOT_FORBIDDEN: {
      why: 'HubSpot refuses the app: a scope is missing.',
      toDo: 'Give the app its scopes back: doctor names them.',
    },
    HUBSPOT_RATE_LIMIT: { why: 'HubSpot takes no requests for the moment.', toDo: ITSELF },
    HUBSPOT_DAILY_LIMIT: {
      why: "The day's HubSpot calls are used up.",
      toDo: NEXT_DAY,
    },
    HUBSPOT_DAILY_RESERVE: {
      why: "The rest of the day's HubSpot calls is kept for others.",
      toDo: NEXT_DAY,
    },
  } satisfies Named),
);

/** @param reason as it stands in the record's state. @param stack whose commands it names; absent on one machine */
export function waitingWords(reason: string, stack?: string | undefined): WaitingWords {
  const known = WORDS.get(reason);
  if (known) return { why: known.why, toDo: wordingText(known.toDo, stack) };
  const { waitsFor, isHubSpotDown } = waitingCause(reason);
  if (isHubSpotDown)
    return { why: `HubSpot does not answer (${reason}).`, toDo: `See HubSpot's status page. ${ITSELF}` };
  if (waitsFor === 'hubspot') return { why: `HubSpot could not do it (${reason}).`, toDo: ITSELF };
  return { why: `It has to be done once more (${reason}).`, toDo: ITSELF };
}
