import { rowText, sentenceRow, type TextParamsOf } from '#shared/kernel';

const STACK = { stackName: 'crm-enrichment' };
const IN_CHANGE = { ...STACK, status: 'CREATE_IN_PROGRESS' };
const FILE = { file: 'infra/policy.ts', problem: 'it is empty' };
const PORTAL = { portalId: '24170001' };
const RELEASES = { releases: '0a, 2c' };
const listed = ({ releases }: typeof RELEASES) =>
  `Releases that all functions have, oldest first: ${releases}.`;

/** Why a command of `infra/aws/deploy` refuses or ends, and what to do, by code. */
export const CONFIGURATION_FAULTS = {
  'unusable-context': 'The context of cdk.json cannot be used.',
  'unknown-setting': sentenceRow(
    { key: 'publicURL' },
    ({ key }) => `The context of cdk.json has "${key}", which is no setting.`,
  ),
  'missing-setting': sentenceRow({ key: 'policy' }, ({ key }) => `The context of cdk.json lacks "${key}".`),
  'wrong-setting': sentenceRow(
    { key: 'tracing', problem: 'must be true or false' },
    ({ key, problem }) => `In cdk.json, "${key}" ${problem}.`,
  ),
  'policy-fails': sentenceRow(
    FILE,
    ({ file, problem }) => `In cdk.json, "policy" names ${file}, which fails: ${problem}`,
  ),
  'policy-invalid': sentenceRow(FILE, ({ file, problem }) => `${file}: ${problem}`),
  'wrong-option': sentenceRow(
    { problem: "Unknown option '--yess'." },
    ({ problem }) => `${problem} Settings are given as -c key=value.`,
  ),
  'not-a-setting': 'A setting is given as -c key=value.',
  'example-address':
    'The address of the data service is still an example. Put the real one into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
  'no-access': sentenceRow(
    { reason: 'no credentials' },
    ({ reason }) =>
      `AWS cannot be reached: ${reason}. Set AWS_PROFILE (for single sign-on after "aws sso login") and AWS_REGION.`,
  ),
  'no-stack': sentenceRow(STACK, ({ stackName }) => `There is no stack ${stackName}.`),
  'no-stack-but-data': sentenceRow(
    { ...STACK, data: 'crm-enrichment-data' },
    ({ stackName, data }) =>
      `There is no stack ${stackName}. What it has stored is kept in ${data}: see --with-data.`,
  ),
  'other-stacks': sentenceRow(
    { ...STACK, others: ['crm-2'] },
    ({ stackName, others }) =>
      `There is no stack ${stackName} yet, but ${others.join(', ')} in this account and region. Choose one: ${[...others, stackName].map((name) => `-c stackName=${name}`).join(' or ')}.`,
  ),
  'forgotten-settings': sentenceRow(
    { ...STACK, differences: '  tracing: true in the stack, not set now', options: '  -c tracing=true' },
    ({ stackName, differences, options }) =>
      [
        `The stack ${stackName} was deployed with other settings, and no option asks to change them:`,
        `${differences}.`,
        "To keep a setting, write the stack's value into cdk.json or give it again; to change it, give the new value:",
        options,
      ].join('\n'),
  ),
  'newer-data': sentenceRow(
    { version: '9.9.9' },
    ({ version }) =>
      `Version ${version} wrote the data, which this version cannot read, so nothing was changed. Deploy version ${version} or a newer one (docs/operations/runbook.md, "Roll back a deployment").`,
  ),
  'older-data': sentenceRow(
    { version: '0.2.0' },
    ({ version }) =>
      `Version ${version} wrote the data, which this version cannot read, so nothing was changed. Keep version ${version}, or remove its data (docs/guides/deploy.md, "Data of version 0.2").`,
  ),
  'half-deleted': sentenceRow(
    STACK,
    ({ stackName }) => `The stack ${stackName} is half deleted. Run npm run destroy again first.`,
  ),
  'stack-in-change': sentenceRow(
    IN_CHANGE,
    ({ stackName, status }) =>
      `The stack ${stackName} is being changed (${status}). Deploy when that has ended.`,
  ),
  'stack-not-made': sentenceRow(
    STACK,
    ({ stackName }) => `The stack ${stackName} is not there after its deployment.`,
  ),
  'stack-remains': sentenceRow(
    STACK,
    ({ stackName }) => `The stack ${stackName} is still there; see above, and destroy it once more.`,
  ),
  'cdk-failed': sentenceRow(
    { command: 'deploy', exitCode: 1 as number | null },
    ({ command, exitCode }) => `cdk ${command} ended with code ${exitCode}; see above.`,
  ),
  'no-table': sentenceRow({ tables: 'crm-ledger-copy' }, ({ tables }) => `There is no table ${tables}.`),
  'tables-without-stack': sentenceRow(
    { tables: 'crm-enrichment-ledger', stack: 'crm-enrichment-data' },
    ({ tables, stack }) =>
      `No stack owns these tables, and they hold data, so nothing was changed: ${tables}. They may be the books of ${stack}: to continue with them, add --take-over-tables; or choose another name: -c stackName=...`,
  ),
  'not-bootstrapped':
    'Nothing was deployed. Add --bootstrap to agree, or ask an administrator of the AWS account to bootstrap it.',
  'switch-declined': 'Nothing was switched. Add --yes to agree.',
  'no-terminal': 'There is no terminal to ask for agreement, so nothing was deleted. Add --yes to agree.',
  'other-name': 'That is not its name, so nothing was deleted.',
  'key-refused': sentenceRow(
    { variable: 'DATA_SERVICE_API_KEY', reason: 'the data service refused the key' },
    ({ variable, reason }) =>
      `${variable} is refused, so nothing was deployed: ${reason}. Give the right key.`,
  ),
  'other-account': sentenceRow(
    { ...PORTAL, meant: '24170002' },
    ({ portalId, meant }) =>
      `HUBSPOT_ACCESS_TOKEN belongs to the HubSpot account ${portalId}, but hubSpotPortalId names ${meant}. Nothing was deployed.`,
  ),
  'second-installation': sentenceRow(
    PORTAL,
    ({ portalId }) =>
      `Another installation was set up on the HubSpot account ${portalId}: both would buy and write the same records. Nothing was deployed: if it is gone, or if you want both, add --second-installation.`,
  ),
  'wrong-webhook': sentenceRow(
    { problem: 'must be an address that starts with https://' },
    ({ problem }) => `ALERT_WEBHOOK_URL ${problem}.`,
  ),
  'secret-lost': sentenceRow(
    { table: 'crm-state', place: 'the parameter /crm/installation-secret of SSM' },
    ({ table, place }) =>
      `The table ${table} is there, but the "installationSecret" of its answers is not in ${place}. Put it back there, or start again and pay for all answers a second time: npm run destroy -- --with-data.`,
  ),
  'not-a-document': sentenceRow(
    { place: 'The parameter /crm/hubspot-access-token of SSM' },
    ({ place }) => `${place} is not a JSON document. Make it one, such as {"hubSpotAccessToken":"..."}.`,
  ),
  'lacks-functions': sentenceRow(
    { ...STACK, found: 5, all: 6 },
    ({ stackName, found, all }) => `The stack ${stackName} names ${found} of ${all} functions.`,
  ),
  'no-common-release': sentenceRow(
    RELEASES,
    (known) => `The functions run no release that all of them have. ${listed(known)}`,
  ),
  'no-release-before': sentenceRow(
    { ...RELEASES, from: '0a' },
    ({ from, ...known }) => `There is no release before ${from}. ${listed(known)}`,
  ),
  'unknown-release': sentenceRow(
    { ...RELEASES, to: '1b' },
    ({ to, ...known }) => `There is no release ${to}. ${listed(known)}`,
  ),
};

export type ConfigurationFault = keyof typeof CONFIGURATION_FAULTS;
export type FaultFigures<Code extends ConfigurationFault> = TextParamsOf<(typeof CONFIGURATION_FAULTS)[Code]>;

/** A refusal of the deployment. It has a code of `CONFIGURATION_FAULTS`. */
export class ConfigurationError<Code extends ConfigurationFault = ConfigurationFault> extends Error {
  override readonly name = 'ConfigurationError';
  readonly code: Code;
  readonly params: FaultFigures<Code>;

  constructor(code: Code, params: FaultFigures<Code>) {
    super(rowText(CONFIGURATION_FAULTS[code], params as never));
    this.code = code;
    this.params = params;
  }
}
