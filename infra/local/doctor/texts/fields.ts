import { counted } from '#shared/kernel';
import { NO_PARAMS } from '../../text-row.ts';
import { fail, ok, warn } from './verdict.ts';

const CONFLICTS = {
  conflicts: [{ name: 'enrichment_credits', reason: 'it exists with another type' }],
  command: 'setup',
};
const FIELDS = { fields: 12, missing: ['lifecyclestage'], readOnly: ['hs_score'] };
const FAULTS = {
  setting: 'policy.whom.contacts',
  faults: [{ rule: 'leads', code: 'unknown-property', problem: 'HubSpot has no property "tier"' }],
};
const RULES = { rules: ['leads', 'customers'] };

/** Results of the checks of properties, and of the policy's fields and rules. */
export const FIELD_TEXTS = {
  'properties-right': ok(NO_PARAMS, 'all exist and have the right types'),
  'properties-conflict': fail(
    CONFLICTS,
    ({ conflicts }) => conflicts.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
    ({ command }) => `rename or delete these properties in HubSpot, then run: ${command}`,
  ),
  'properties-missing': fail(
    { properties: ['enrichment_status'], command: 'setup' },
    ({ properties }) => `missing: ${properties.join(', ')}`,
    ({ command }) => `run: ${command}`,
  ),
  'options-missing': fail(
    { properties: ['enrichment_status'], command: 'setup' },
    ({ properties }) => `options are missing: ${properties.join(', ')}`,
    ({ command }) => `run: ${command}`,
  ),
  'fields-writable': ok(FIELDS, (params) => {
    const skipped = skippedWords(params);
    const open = skipped === '' ? `all ${params.fields}` : `${params.fields}`;
    return `${open} can be written${skipped === '' ? '' : `; skipped default fields: ${skipped}`}`;
  }),
  'fields-without-effect': warn(
    FIELDS,
    skippedWords,
    'these rules have no effect: create the properties or remove the rules',
  ),
  'weights-unknown': warn(
    { properties: ['lifecyclestage'] },
    ({ properties }) =>
      `uses weights for properties or choices that HubSpot does not have: ${properties.join(', ')}`,
    'correct or remove these rows of refresh.weights',
  ),
  'choices-fit': ok(NO_PARAMS, 'a choice for each known value'),
  'choices-missing': warn(
    { lacking: [{ property: 'industry', choices: 7, some: ['banking', 'farming'] }] },
    ({ lacking }) =>
      lacking
        .map(
          ({ property, choices, some }) =>
            `${property} lacks ${counted(choices, 'choice')}: ${some.join(', ')}${choices > some.length ? ' and others' : ''}`,
        )
        .join('; '),
    'add or show these choices in HubSpot, and see: unmapped',
  ),
  'job-is-whole': ok(NO_PARAMS, 'has all properties of the job'),
  'job-is-split': warn(
    { properties: ['jobtitle'] },
    ({ properties }) =>
      `does not have ${properties.join(', ')}: a contact may then show the job of one employer and the name of another`,
    "leave out group: 'none' in the policy's rules of these properties",
  ),
  'no-value-rules': ok(
    NO_PARAMS,
    'no rule on written properties; HubSpot reports required properties only when a write fails',
  ),
  'value-rules': warn(
    { rules: ['city MAX_LENGTH 20'] },
    ({ rules }) => rules.join('; '),
    'HubSpot refuses values that break a rule: relax the rule, or remove the field',
  ),
  'value-rules-not-returned': warn(
    { status: 404 },
    ({ status }) => `HubSpot does not return them (status ${status})`,
    'see the rules of the properties in HubSpot',
  ),
  'no-rules': ok(NO_PARAMS, 'none: every record may be looked up'),
  'no-rule-allows': warn(
    { setting: 'policy.whom.contacts' },
    'no rule allows a lookup, so none is bought',
    ({ setting }) => `change ${setting}`,
  ),
  'rules-fit': ok(RULES, ({ rules }) => `${counted(rules.length, 'rule')}: ${rules.join(', ')}`),
  'rules-doubtful': warn(FAULTS, faultsWords, ({ setting }) => `change ${setting}`),
  'rules-broken': fail(FAULTS, faultsWords, ({ setting }) => `change ${setting}`),
};

function skippedWords({ missing, readOnly }: typeof FIELDS): string {
  return [
    ...(missing.length > 0 ? [`not in the portal: ${missing.join(', ')}`] : []),
    ...(readOnly.length > 0 ? [`read-only: ${readOnly.join(', ')}`] : []),
  ].join('; ');
}

function faultsWords({ faults }: typeof FAULTS): string {
  return faults.map(({ rule, problem }) => `"${rule}": ${problem}`).join('; ');
}
