interface FaultWords<Params> {
  readonly example: Params;
  readonly seen: (params: Params) => string;
  /** What to do. Absent if `seen` says it. */
  readonly advice?: (params: Params) => string;
}

function words<Params extends object>(row: FaultWords<Params>): FaultWords<Params> {
  return row;
}

const STACK = { stackName: 'crm-enrichment' };
const RELEASES = { releases: '0a, 2c' };
const listed = ({ releases }: typeof RELEASES) =>
  `Releases that all functions have, oldest first: ${releases}.`;

/** Why a command of `infra/aws/deploy` refuses or ends, by code. */
export const CONFIGURATION_FAULTS = {
  'unusable-context': words({ example: {}, seen: () => 'The context of cdk.json cannot be used.' }),
  'unknown-setting': words({
    example: { key: 'publicURL' },
    seen: ({ key }) => `The context of cdk.json has "${key}", which is no setting.`,
  }),
  'missing-setting': words({
    example: { key: 'policy' },
    seen: ({ key }) => `The context of cdk.json lacks "${key}".`,
  }),
  'wrong-setting': words({
    example: { key: 'tracing', problem: 'must be true or false' },
    seen: ({ key, problem }) => `In cdk.json, "${key}" ${problem}.`,
  }),
  'policy-fails': words({
    example: { file: 'infra/policy.ts', problem: 'it is empty' },
    seen: ({ file, problem }) => `In cdk.json, "policy" names ${file}, which fails: ${problem}`,
  }),
  'policy-invalid': words({
    example: { file: 'infra/policy.ts', problem: 'timeZone: expected a text' },
    seen: ({ file, problem }) => `${file}: ${problem}`,
  }),
  'wrong-option': words({
    example: { problem: "Unknown option '--yess'." },
    seen: ({ problem }) => problem,
    advice: () => 'Settings are given as -c key=value.',
  }),
  'not-a-setting': words({ example: {}, seen: () => 'A setting is given as -c key=value.' }),
  'example-address': words({
    example: {},
    seen: () => 'The address of the data service is still an example.',
    advice: () =>
      'Put the real one into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
  }),
  'no-access': words({
    example: { reason: 'no credentials' },
    seen: ({ reason }) => `AWS cannot be reached: ${reason}.`,
    advice: () => 'Set AWS_PROFILE (for single sign-on after "aws sso login") and AWS_REGION.',
  }),
  'no-stack': words({ example: STACK, seen: ({ stackName }) => `There is no stack ${stackName}.` }),
  'no-stack-but-data': words({
    example: { ...STACK, data: 'crm-enrichment-data' },
    seen: ({ stackName }) => `There is no stack ${stackName}.`,
    advice: ({ data }) => `What it has stored is kept in ${data}: see --with-data.`,
  }),
  'other-stacks': words({
    example: { ...STACK, others: ['crm-2'] },
    seen: ({ stackName, others }) =>
      `There is no stack ${stackName} yet, but ${others.join(', ')} in this account and region.`,
    advice: ({ stackName, others }) =>
      `Choose one: ${[...others, stackName].map((name) => `-c stackName=${name}`).join(' or ')}.`,
  }),
  'forgotten-settings': words({
    example: {
      ...STACK,
      differences: '  tracing: true in the stack, not set now',
      options: '  -c tracing=true',
    },
    seen: ({ stackName, differences }) =>
      `The stack ${stackName} was deployed with other settings, and no option asks to change them:\n${differences}`,
    advice: ({ options }) =>
      `\nTo keep a setting, write the stack's value into cdk.json or give it again; to change it, give the new value:\n${options}`,
  }),
  'newer-data': words({
    example: { version: '9.9.9' },
    seen: ({ version }) =>
      `Version ${version} wrote the data, which this version cannot read, so nothing was changed.`,
    advice: ({ version }) =>
      `Deploy version ${version} or a newer one (docs/operations/runbook.md, "Roll back a deployment").`,
  }),
  'older-data': words({
    example: { version: '0.2.0' },
    seen: ({ version }) =>
      `Version ${version} wrote the data, which this version cannot read, so nothing was changed.`,
    advice: ({ version }) =>
      `Keep version ${version}, or remove its data (docs/guides/deploy.md, "Data of version 0.2").`,
  }),
  'half-deleted': words({
    example: STACK,
    seen: ({ stackName }) => `The stack ${stackName} is half deleted.`,
    advice: () => 'Run npm run destroy again first.',
  }),
  'stack-in-change': words({
    example: { ...STACK, status: 'CREATE_IN_PROGRESS' },
    seen: ({ stackName, status }) => `The stack ${stackName} is being changed (${status}).`,
    advice: () => 'Deploy when that has ended.',
  }),
  'stack-not-made': words({
    example: STACK,
    seen: ({ stackName }) => `The stack ${stackName} is not there after its deployment.`,
  }),
  'stack-remains': words({
    example: STACK,
    seen: ({ stackName }) => `The stack ${stackName} is still there; see above, and destroy it once more.`,
  }),
  'cdk-failed': words<{ command: string; exitCode: number | null }>({
    example: { command: 'deploy', exitCode: 1 },
    seen: ({ command, exitCode }) => `cdk ${command} ended with code ${exitCode}; see above.`,
  }),
  'no-table': words({
    example: { tables: 'crm-ledger-copy' },
    seen: ({ tables }) => `There is no table ${tables}.`,
  }),
  'tables-without-stack': words({
    example: { tables: 'crm-enrichment-ledger', stack: 'crm-enrichment-data' },
    seen: ({ tables }) =>
      `No stack owns these tables, and they hold data, so nothing was changed: ${tables}.`,
    advice: ({ stack }) =>
      `They may be the books of ${stack}: to continue with them, add --take-over-tables; or choose another name: -c stackName=...`,
  }),
  'not-bootstrapped': words({
    example: {},
    seen: () => 'Nothing was deployed.',
    advice: () => 'Add --bootstrap to agree, or ask an administrator of the AWS account to bootstrap it.',
  }),
  'switch-declined': words({
    example: {},
    seen: () => 'Nothing was switched.',
    advice: () => 'Add --yes to agree.',
  }),
  'no-terminal': words({
    example: {},
    seen: () => 'There is no terminal to ask for agreement, so nothing was deleted.',
    advice: () => 'Add --yes to agree.',
  }),
  'other-name': words({ example: {}, seen: () => 'That is not its name, so nothing was deleted.' }),
  'key-refused': words({
    example: { variable: 'DATA_SERVICE_API_KEY', reason: 'the data service refused the key' },
    seen: ({ variable, reason }) => `${variable} is refused, so nothing was deployed: ${reason}.`,
    advice: () => 'Give the right key.',
  }),
  'other-account': words({
    example: { portalId: '24170001', meant: '24170002' },
    seen: ({ portalId, meant }) =>
      `HUBSPOT_ACCESS_TOKEN belongs to the HubSpot account ${portalId}, but hubSpotPortalId names ${meant}.`,
    advice: () => 'Nothing was deployed.',
  }),
  'second-installation': words({
    example: { portalId: '24170001' },
    seen: ({ portalId }) =>
      `Another installation was set up on the HubSpot account ${portalId}: both would buy and write the same records.`,
    advice: () => 'Nothing was deployed: if it is gone, or if you want both, add --second-installation.',
  }),
  'wrong-webhook': words({
    example: { problem: 'must be an address that starts with https://' },
    seen: ({ problem }) => `ALERT_WEBHOOK_URL ${problem}.`,
  }),
  'secret-lost': words({
    example: { table: 'crm-state', place: 'the parameter /crm/installation-secret of SSM' },
    seen: ({ table, place }) =>
      `The table ${table} is there, but the "installationSecret" of its answers is not in ${place}.`,
    advice: () =>
      'Put it back there, or start again and pay for all answers a second time: npm run destroy -- --with-data.',
  }),
  'not-a-document': words({
    example: { place: 'The parameter /crm/hubspot-access-token of SSM' },
    seen: ({ place }) => `${place} is not a JSON document.`,
    advice: () => 'Make it one, such as {"hubSpotAccessToken":"..."}.',
  }),
  'lacks-functions': words({
    example: { ...STACK, found: 5, all: 6 },
    seen: ({ stackName, found, all }) => `The stack ${stackName} names ${found} of ${all} functions.`,
  }),
  'no-common-release': words({
    example: RELEASES,
    seen: () => 'The functions run no release that all of them have.',
    advice: listed,
  }),
  'no-release-before': words({
    example: { ...RELEASES, from: '0a' },
    seen: ({ from }) => `There is no release before ${from}.`,
    advice: listed,
  }),
  'unknown-release': words({
    example: { ...RELEASES, to: '1b' },
    seen: ({ to }) => `There is no release ${to}.`,
    advice: listed,
  }),
} as const;

export type ConfigurationFault = keyof typeof CONFIGURATION_FAULTS;
export type FaultFigures<Code extends ConfigurationFault> = Parameters<
  (typeof CONFIGURATION_FAULTS)[Code]['seen']
>[0];

export function faultSentences<Code extends ConfigurationFault>(
  code: Code,
  params: FaultFigures<Code>,
): readonly string[] {
  const { seen, advice }: Omit<FaultWords<never>, 'example'> = CONFIGURATION_FAULTS[code];
  return [seen(params as never), ...(advice ? [advice(params as never)] : [])];
}
