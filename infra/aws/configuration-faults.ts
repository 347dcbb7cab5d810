import { filled, type ParamsIn, type RowWords } from '../text-row.ts';

const RELEASES = 'Releases that all functions have, oldest first: {releases}.';

/** Why a command of `infra/aws/deploy` refuses or ends, and what to do, by code. */
export const CONFIGURATION_FAULTS = {
  'unusable-context': 'The context of cdk.json cannot be used.',
  'unknown-setting': 'The context of cdk.json has "{key}", which is no setting. The settings are: {known}.',
  'missing-setting': 'The context of cdk.json lacks "{key}".',
  'wrong-setting': 'In cdk.json, "{key}" {problem}.',
  'policy-fails': 'In cdk.json, "policy" names {file}, which fails: {problem}',
  'policy-invalid': '{file}: {problem}',
  'wrong-option': '{problem} Settings are given as -c key=value.',
  'not-a-setting': 'A setting is given as -c key=value.',
  'example-address':
    'The address of the data service is still an example. Put the real one into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
  'aws-silent':
    'AWS does not answer at {address}: check the network, AWS_REGION, and AWS_ENDPOINT_URL if it is set.',
  'no-access':
    'AWS cannot be reached: {reason}. Set AWS_PROFILE (for single sign-on after "aws sso login") and AWS_REGION.',
  'no-stack': 'There is no stack {stackName}.',
  'no-stack-but-data': 'There is no stack {stackName}, but its tables or secrets are kept: see --with-data.',
  'forgotten-settings': `The stack {stackName} was deployed with other settings, and no option asks to change them:
{differences}.
To keep a setting, write the stack's value into cdk.json or give it again; to change it, give the new value:
{options}`,
  'newer-data':
    'Version {version} wrote the data, which this version cannot read, so nothing was changed. Deploy version {version} or a newer one (docs/operations/runbook.md, "Roll back a deployment").',
  'older-data':
    'Version {version} wrote the data, which this version cannot read, so nothing was changed. Keep version {version}, or remove its data (docs/guides/deploy.md, "Data of version 0.2").',
  'half-deleted': 'The stack {stackName} is half deleted. Run npm run destroy again first.',
  'stack-in-change': 'The stack {stackName} is being changed ({status}). Deploy when that has ended.',
  'stack-not-made': 'The stack {stackName} is not there after its deployment.',
  'stack-remains': 'The stack {stackName} is still there; see above, and destroy it once more.',
  'cdk-failed': 'cdk {command} ended with code {exitCode}; see above.',
  'no-table': 'There is no table {tables}.',
  'tables-without-stack':
    'No stack owns these tables, and they hold data, so nothing was changed: {tables}. They may be the books of {stack}: to continue with them, add --take-over-tables; or choose another name: -c stackName=...',
  'not-bootstrapped':
    'Nothing was deployed. Add --bootstrap to agree, or ask an administrator of the AWS account to bootstrap it.',
  'switch-declined': 'Nothing was switched. Add --yes to agree.',
  'no-terminal': 'There is no terminal to ask for agreement, so nothing was deleted. Add --yes to agree.',
  'other-name': 'That is not its name, so nothing was deleted.',
  'key-refused': '{variable} is refused, so nothing was deployed: {reason}. Give the right key.',
  'other-account':
    'HUBSPOT_ACCESS_TOKEN belongs to the HubSpot account {portalId}, but hubSpotPortalId names {meant}. Nothing was deployed.',
  'second-installation':
    'Another installation was set up on the HubSpot account {portalId}: both would buy and write the same records. Nothing was deployed: if it is gone, or if you want both, add --second-installation.',
  'wrong-webhook': 'ALERT_WEBHOOK_URL {problem}.',
  'secret-lost':
    'The table {table} is there, but the "installationSecret" of its answers is not in {place}. Put it back there, or start again and pay for all answers a second time: npm run destroy -- --with-data.',
  'not-a-document': ({ place }: { place: string }) =>
    `${place} is not a JSON document. Make it one, such as {"hubSpotAccessToken":"..."}.`,
  'lacks-functions': 'The stack {stackName} names {found} of {all} functions.',
  'no-common-release': `The functions run no release that all of them have. ${RELEASES}`,
  'no-release-before': `There is no release before {from}. ${RELEASES}`,
  'unknown-release': `There is no release {to}. ${RELEASES}`,
} as const satisfies Readonly<Record<string, RowWords>>;

export type ConfigurationFault = keyof typeof CONFIGURATION_FAULTS;
export type FaultFigures<Code extends ConfigurationFault> = ParamsIn<(typeof CONFIGURATION_FAULTS)[Code]>;

/** A refusal of the deployment. It has a code of `CONFIGURATION_FAULTS`. */
export class ConfigurationError<Code extends ConfigurationFault = ConfigurationFault> extends Error {
  override readonly name = 'ConfigurationError';
  readonly code: Code;
  readonly params: FaultFigures<Code>;

  constructor(code: Code, params: FaultFigures<Code>) {
    super(filled(CONFIGURATION_FAULTS[code], params as never));
    this.code = code;
    this.params = params;
  }
}
