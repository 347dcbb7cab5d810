import { askerWords } from '#shared/crm';
import { misfitWords } from '#shared/field-policy';
import { counted, rowText, sentenceRow } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { LOOKUPS, type QuestionOperation } from '#shared/questions';

/**
 * The only catalogue of the reasons of outcomes, findings and associations. A record stores the code and the parameters;
 * the sentence is made here when it is shown. No parameter is a value of a person.
 */

/**
 * Each code with its sentence, or with a function that makes the sentence from the parameters. `why` is a code or a text
 * of HubSpot or of the data service, without personal data; `used` are credits that are spent or in doubt.
 */
export const EXPLANATION_TEXTS = {
  matched: sentenceRow(
    { operation: 'reverseEmail' },
    ({ operation }: { readonly operation: QuestionOperation }) => `Matched ${LOOKUPS[operation].words}.`,
  ),
  accepted: 'A person accepted the answer.',
  'no-match': sentenceRow(
    { operations: ['reverseEmail', 'lookUpPerson'] },
    ({ operations }: { readonly operations: readonly QuestionOperation[] }) =>
      [...Map.groupBy(operations, (each) => LOOKUPS[each].vendor.label)]
        .map(
          ([label, asked]) =>
            `The ${label} found no match (${asked.map((each) => LOOKUPS[each].words).join(', ')}).`,
        )
        .join(' '),
  ),
  'stored-no-match': 'The stored answer is "no match".',
  'up-to-date': 'Enriched already, and nothing about it has changed.',
  'undone-before': 'A person undid its values, and nothing about it has changed.',
  'older-than-installation':
    'It existed before the installation, so only a backfill or a request for this record enriches it.',
  merged: 'Merged into another record.',
  'merged-into': sentenceRow({ record: 'contacts/2' }, ({ record }) => `It was merged into ${record}.`),
  'in-progress': 'It waits or is in progress already.',
  fresh: 'It was looked up already, and another lookup now would change nothing.',
  gone: 'No longer in HubSpot.',
  forgotten: 'Its person asked to be forgotten.',

  'no-identifier':
    "Nothing to look it up by: it needs an email, a profile URL, a phone number, or both names with a company's domain.",
  'no-company-identifier': 'Nothing to look it up by: it needs a domain, a website or a LinkedIn page.',
  'free-mail-only': 'Only a free-mail address, which identifies no company; nothing else to look it up by.',
  'role-mailbox':
    'Only the address of an office or a machine, not of a person; nothing else to look it up by.',
  'opted-out': 'Opted out of enrichment in HubSpot.',
  'nothing-to-fill': 'Every property that the policy may fill is filled.',
  'nothing-to-gain': 'No lookup that the policy allows can fill the missing properties.',
  'above-maximum': 'Looking it up costs more than the rule of the policy allows.',
  'wrong-match':
    'A person rejected the answer that the record leads to: it needs another email, page or domain.',
  'address-taken': 'Only an email address is missing, and another contact of the same person has one.',

  'no-rule': 'No rule of the policy admits it.',
  'rule-excludes': sentenceRow(
    { rule: 'leads' },
    ({ rule }) => `The rule "${rule}" of the policy does not look it up.`,
  ),
  'rule-refreshes-not': sentenceRow(
    { rule: 'leads' },
    ({ rule }) => `The rule "${rule}" of the policy does not refresh it.`,
  ),
  'rule-unreadable': sentenceRow(
    { rule: 'leads', property: 'lifecyclestage' },
    ({ rule, property }) =>
      `The rule "${rule}" looks nothing up: it reads ${property}, which HubSpot does not have.`,
  ),
  'free-sources-first': sentenceRow(
    { rule: 'leads' },
    ({ rule }) => `The rule "${rule}" leaves it to free sources first.`,
  ),
  'values-expired': sentenceRow(
    { rule: 'leads' },
    ({ rule }) => `Its values expired by the rule "${rule}" of the policy.`,
  ),
  'values-recalled': 'Its values were recalled, because their source may not be used.',
  'values-remain': sentenceRow(
    { why: 'HUBSPOT_FORBIDDEN' },
    ({ why }) => `Some values are not removed yet: ${why}.`,
  ),

  'price-risen': sentenceRow(
    { price: 3, limit: 1 },
    ({ price, limit }) =>
      `Nothing was bought: a lookup would now cost ${counted(price, 'credit')}, more than the agreed ${counted(limit, 'credit')}.`,
  ),
  'above-agreed-price': sentenceRow(
    { limit: 3, used: 1 },
    ({ limit, used }) =>
      `Another lookup would cost more than the agreed ${counted(limit, 'credit')}${usedWords(used)}.`,
  ),
  'above-price-of-rule': sentenceRow(
    { rule: 'leads', limit: 3, used: 1 },
    ({ rule, limit, used }) =>
      `The rule "${rule}" allows ${counted(limit, 'credit')}, and a lookup would cost more${usedWords(used)}.`,
  ),
  'own-limit': sentenceRow(
    { price: 3, limit: 4, left: 0, opens: '22 Nov 2026, 00:00' },
    ({ price, limit, left, opens }) =>
      `A lookup costs ${counted(price, 'credit')}; a person may use ${limit} a day and has ${left} left until ${opens}, except users in \`people.spend\`.`,
  ),
  'backfill-halted': 'The backfill was stopped or paused before this record was looked up.',
  'another-run': 'Another run of the record was in progress.',
  'may-be-looked-up': sentenceRow(
    { price: 3, by: 'user:1001' as string | undefined },
    ({ price, by }) =>
      `It may be looked up again for at most ${counted(price, 'credit')}: its request with an unknown outcome is decided${by === undefined ? '' : `, by ${askerWords(by)}`}.`,
  ),
  'charge-unknown': 'A request for this was sent, and its outcome is unknown: it may have been charged.',
  'lookup-refused': sentenceRow(
    { why: 'Invalid domain' },
    ({ why }) => `The data service refused the lookup: ${why.replace(/\.$/, '')}.`,
  ),
  'given-up': sentenceRow(
    { workers: 5 },
    ({ workers }) =>
      `Given up: ${workers} workers in a row ended without an outcome, and their log lines say why.`,
  ),

  'other-profile': 'The answer is about a person with another profile.',
  'other-last-name': 'The answer is about a person with another last name.',
  'other-first-name': 'The answer is about a person with another first name.',
  'other-full-name': 'The answer is about a person with another first and last name.',
  'other-mailbox': 'The answer is about a person whose name is not the one in the address.',
  'other-asked-company': 'The answer is about a person at another company.',
  'other-country': 'The answer is about a person in another country.',
  'other-association': 'The answer names another employer than the company of the record.',
  'other-address': 'The answer names another employer than the address.',
  'other-website': 'The answer names another employer than the website.',
  'other-company': 'The answer names another employer than the company name.',
  'other-domain': 'The answer is about a company with another domain.',
  'other-domain-label': 'The answer is about a company with another name in its domain.',
  'other-name': 'The answer is about a company with another name.',
  'phone-alone': 'Only a phone number leads to the answer, and nothing else in the record agrees with it.',
  'other-page': 'The answer is about a company with another page.',
  'other-under-domain': 'The answer has the domain of the record, but the name or page of another company.',
  'rejected-before':
    'A person has said before that this record is not about the person or company of the answer.',
  'may-find-rejected': 'The lookup may lead again to the person or company that a person has rejected.',
  'rejected-by-person': 'A person said that the answer is about another person or company.',
  'identity-changed': "The record's identity has changed since.",
  'former-values-removed': 'A person changed its identity: our earlier values are removed.',
  'former-values-unclear': 'A person changed its identity: check our earlier values.',
  duplicate: sentenceRow(
    { records: ['contacts/1', 'contacts/2'], more: 3 },
    ({ records, more }: { readonly records: readonly string[]; readonly more: number }) =>
      `Its address or profile is also that of ${records.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ),

  'property-refused': sentenceRow({ property: 'city', why: 'INVALID_OPTION' }, ({ property, why }) =>
    why === 'CONFLICT'
      ? `Did not write ${property}: another contact in HubSpot has it.`
      : `HubSpot refused ${property} (${why}).`,
  ),
  'write-refused': sentenceRow(
    { why: 'HUBSPOT_FORBIDDEN' },
    ({ why }) => `HubSpot refused the write: ${why}.`,
  ),
  'job-held-back': sentenceRow(
    { property: 'company', label: 'Company name' },
    // A text of an older version has no label.
    ({ property, label = property }) =>
      `No value of the job was written: the answer names another employer, but ${label} is a person's value.`,
  ),
  'place-kept': sentenceRow(
    { labels: ['City'] },
    ({ labels }: { readonly labels: readonly string[] }) =>
      `Not written, because the record has a place elsewhere: ${labels.join(', ')}.`,
  ),
  'value-unfit': sentenceRow(
    { label: 'Email', why: 'other-employer' },
    ({ label, why }) => `Did not write ${label}: ${misfitWords(why)}.`,
  ),
  'not-written': sentenceRow(
    { properties: ['city', 'jobtitle'] as readonly string[] },
    ({ properties }) => `Needs review, and was not written: ${properties.join(', ')}.`,
  ),

  associated: sentenceRow({ company: '123' }, ({ company }) => `Associated with company ${company}.`),
  'not-associated': 'Needs review, and was not done: its association with a company.',
  'several-companies': 'Several companies have its domain, so it was associated with none of them.',
  'association-refused': sentenceRow(
    { why: 'HUBSPOT_FORBIDDEN' },
    ({ why }) => `HubSpot refused the association: ${why}.`,
  ),
  'company-refused': sentenceRow(
    { why: 'HUBSPOT_FORBIDDEN' },
    ({ why }) => `HubSpot refused to create its company: ${why}.`,
  ),

  undone: sentenceRow(
    { labels: ['City', 'Job title'] },
    ({ labels }: { readonly labels: readonly string[] }) => `Undone: ${labels.join(', ')}.`,
  ),
  'others-stay': 'The values of other answers stay.',
  'nothing-to-undo': 'There was nothing left to undo.',
  'answer-rejected': 'A person rejected the answer.',
  'undo-failed': sentenceRow({ why: 'HUBSPOT_FORBIDDEN' }, ({ why }) => `The undo failed: ${why}.`),
  'answer-not-stored': 'The answer is no longer stored.',
  'nothing-to-write': 'Done: there is nothing to write for it.',
  'write-waits': sentenceRow(
    { wait: 'HUBSPOT_DAILY_LIMIT', why: "Today's HubSpot calls are used up." },
    ({ why }) => why,
  ),
  'record-busy': 'A worker is updating the record.',
  'record-not-returned': 'HubSpot did not return it.',
} as const;

function usedWords(used: number): string {
  return used === 0 ? '' : `: ${used} ${used === 1 ? 'is' : 'are'} spent or in doubt`;
}

type Texts = typeof EXPLANATION_TEXTS;
export type ExplanationCode = keyof Texts;
type ParametersOf<C extends ExplanationCode> = Texts[C] extends { text: (params: infer P) => string }
  ? readonly [params: P]
  : readonly [];

/** Explains an outcome, a finding or an association by its code. */
export function because<C extends ExplanationCode>(code: C, ...[params]: ParametersOf<C>): Explanation {
  return { code, ...(params !== undefined && { params: params as NonNullable<Explanation['params']> }) };
}

/** Adds further explanations, which follow the first one. */
export function withNotes(explanation: Explanation, notes: readonly Explanation[]): Explanation {
  if (notes.length === 0) return explanation;
  const added = notes.flatMap(({ notes: more = [], ...note }) => [note, ...more]);
  return { ...explanation, notes: [...(explanation.notes ?? []), ...added] };
}

/** Makes the sentences of an explanation. A code of another version stands for itself. */
export function explanationText({ code, params = {}, notes = [] }: Explanation): string {
  const row = Object.hasOwn(EXPLANATION_TEXTS, code) ? EXPLANATION_TEXTS[code as ExplanationCode] : code;
  return [rowText(row, params as never), ...notes.map(explanationText)].join(' ');
}

/** An explanation as `--json` shows it. */
export function shownExplanation(explanation: Explanation) {
  return { ...explanation, reason: explanationText(explanation) };
}
