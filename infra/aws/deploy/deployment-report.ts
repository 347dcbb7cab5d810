import type { InstallationSecretMade } from '../installation-secret.ts';
import { type Command, typed } from './cdk-command.ts';
import type { DeployedStack } from './deployed-stack.ts';
import type { Filling } from './secret-values.ts';

/** What is said before the stack is deployed. */
export function preparationLines(done: {
  /** Of what is adopted. */
  readonly names: readonly string[];
  readonly secret: InstallationSecretMade;
  readonly place: string;
  /** Sentences. */
  readonly problems: readonly string[];
}): readonly string[] {
  const { names, secret, place, problems } = done;
  return [
    ...(secret === 'carried-over'
      ? [`Carried the secret over to ${place}. The old copy stays; delete it when all is well.`]
      : []),
    ...(names.length > 0 ? [`Adopting what is kept: ${names.join(', ')}.`] : []),
    ...problems.map((problem) => `WARNING: ${problem}`),
  ];
}

export interface Deployment {
  readonly command: Pick<Command, 'settings' | 'overrides'>;
  readonly stack: Pick<DeployedStack, 'outputs' | 'parameters'>;
  /** Of the secret. */
  readonly place: string;
  readonly filling: Filling;
}

/** What the person has to know and to do after a deployment. Names of secrets' variables, never a value. */
export function deploymentReport({ command, stack, place, filling }: Deployment): readonly string[] {
  const { outputs, parameters } = stack;
  const { stackName, hubSpotAppId } = command.settings;
  return [
    '',
    `Webhook URL: ${outputs['WebhookUrl']}`,
    '',
    'In HubSpot:',
    '  1. Write the webhook URL above, to the letter, into infra/hubspot-app (its README says where).',
    '  2. Upload that app and install it in the account.',
    `  3. npm run -s cli -- setup --stack ${stackName}     creates the properties`,
    `     npm run -s cli -- doctor --stack ${stackName}    says whether all is well`,
    '',
    ...(hubSpotAppId === undefined ? ownAppWarning(command) : []),
    ...secretLines({ command, place, filling }),
    `Records created before ${parameters['InstalledAt']} are left alone.`,
    `Spend and alarms: the dashboard ${outputs['DashboardName']} in CloudWatch.`,
  ];
}

function ownAppWarning(command: Pick<Command, 'overrides'>): readonly string[] {
  return [
    "WARNING: hubSpotAppId is not set. HubSpot's history then cannot tell which values are ours, and our own writes",
    'are recognised by their fingerprint only. Once the app is uploaded, put its id into cdk.json, or deploy with',
    `  ${typed('deploy', { overrides: [...command.overrides, 'hubSpotAppId=...'] })}`,
    '',
  ];
}

function secretLines({ command, place, filling }: Omit<Deployment, 'stack'>): readonly string[] {
  const { filled, replaced, ignored, missing } = filling;
  const again = typed('deploy', command);
  const replacing = again.includes(' -- ') ? `${again} --replace-secrets` : `${again} -- --replace-secrets`;
  return [
    ...(filled.length > 0 ? [`Put into ${place}: ${filled.join(', ')}.`] : []),
    ...(replaced.length > 0 ? [`Replaced in ${place}: ${replaced.join(', ')}.`] : []),
    ...(ignored.length > 0
      ? [
          `WARNING: ${place} has another value than this shell for ${ignored.join(', ')}, and keeps it. To replace it:`,
          `  ${replacing}`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `Nothing runs before ${place} is complete. Deploy once more with`,
          `  ${missing.map((variable) => `${variable}=...`).join(' ')} ${again}`,
          'Values that are there stay as they are.',
          '',
        ]
      : [`All keys are in ${place}.`]),
  ];
}
