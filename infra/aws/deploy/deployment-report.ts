import type { AlarmSubscriptions } from '#shared/alerts';
import { alarmMailProblem } from '#shared/alerts/adapters';
import { secretPrefix } from '../names.ts';
import { type Command, typed } from './cdk-command.ts';
import type { Filling } from './secret-values.ts';

export interface Deployment {
  readonly command: Pick<Command, 'settings' | 'overrides'>;
  /** Outputs of the functions' stack. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly secrets: Filling;
  /** Subscriptions of the alarm topic, or the reason why AWS did not return them. */
  readonly alarmMail: AlarmSubscriptions | { readonly unread: string };
}

/** Reports the changes to the keys, before the deployment. Names variables, never values. */
export function secretLines({
  command,
  secrets,
}: Omit<Deployment, 'outputs' | 'alarmMail'>): readonly string[] {
  const { filled, replaced, ignored } = secrets;
  const place = placeOf(command);
  return [
    ...(filled.length > 0 ? [`Put into ${place}: ${filled.join(', ')}.`] : []),
    ...(replaced.length > 0 ? [`Replaced in ${place}: ${replaced.join(', ')}.`] : []),
    ...(ignored.length > 0
      ? [
          `WARNING: ${place} has another value than this shell for ${ignored.join(', ')}, and keeps it. To replace it:`,
          `  ${withFlag(typed('deploy', command), '--replace-secrets')}`,
        ]
      : []),
  ];
}

/** Reports results and next steps after a deployment. Missing keys come last. */
export function deploymentReport({ command, outputs, secrets, alarmMail }: Deployment): readonly string[] {
  const { stackName } = command.settings;
  return [
    '',
    `Webhook URL: ${outputs['WebhookUrl']}`,
    '',
    'In HubSpot:',
    '  1. Upload infra/hubspot-app, whose files name the URL above, and install it in the account.',
    ...(secrets.missing.length > 0 ? ['  2. Deploy once more with its keys, as explained below.'] : []),
    `  3. npm run -s cli -- setup --stack ${stackName}     creates the properties`,
    `     npm run -s cli -- doctor --stack ${stackName}    checks the installation`,
    '',
    `Records created before ${outputs['InstalledAt']} are not enriched automatically.`,
    `Spend and alarms: the dashboard ${outputs['DashboardName']} in CloudWatch.`,
    ...alarmLines(command, alarmMail),
    ...missingLines(command, secrets),
    ...(command.settings.hubSpotAppId === undefined ? ownAppWarning(command) : []),
  ];
}

function alarmLines(command: Deployment['command'], alarmMail: Deployment['alarmMail']): readonly string[] {
  const { alarmEmail, stackName } = command.settings;
  if (alarmEmail !== undefined) {
    if ('unread' in alarmMail)
      return [
        `Alarms go to ${alarmEmail} once it is confirmed, which was not checked (${alarmMail.unread}). Check it with`,
        `  npm run -s cli -- doctor --stack ${stackName}`,
      ];
    const problem = alarmMailProblem(alarmMail);
    if (!problem) return [`Alarms go to ${alarmEmail}, which is confirmed.`];
    return ['', `WARNING: ${problem.seen} (${alarmEmail}).`, `To do: ${problem.advice}`];
  }
  return [
    '',
    'WARNING: alarmEmail is not set: no one gets the alarms. Deploy with',
    `  ${withSetting(command, 'alarmEmail=...')}`,
  ];
}

function missingLines(
  command: Deployment['command'],
  { missing, unread }: Pick<Filling, 'missing' | 'unread'>,
): readonly string[] {
  if (missing.length === 0)
    return unread.length === 0
      ? [`All keys are in ${placeOf(command)}.`]
      : [`Left as they were, and not read: ${unread.join(', ')} in ${placeOf(command)}.`];
  return [
    '',
    `WARNING: nothing is enriched yet: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not in ${placeOf(command)}.`,
    ...(missing.includes('HUBSPOT_CLIENT_SECRET')
      ? ['Until then webhooks are answered with 503; HubSpot repeats them for a day.']
      : []),
    'Values that are there stay as they are. Once the app is uploaded, deploy once more with',
    `  ${missing.map((variable) => `${variable}=...`).join(' ')} ${typed('deploy', command)}`,
  ];
}

function ownAppWarning(command: Deployment['command']): readonly string[] {
  return [
    '',
    "WARNING: hubSpotAppId is not set. HubSpot's history then cannot tell which values are ours, and our own writes",
    'are recognised by their fingerprint only. Once the app is uploaded, put its id into cdk.json, or deploy with',
    `  ${withSetting(command, 'hubSpotAppId=...')}`,
  ];
}

function placeOf({ settings: { stackName } }: Pick<Command, 'settings'>): string {
  return `the parameters of SSM under ${secretPrefix(stackName)}/`;
}

function withSetting({ overrides }: Pick<Command, 'overrides'>, setting: string): string {
  return typed('deploy', { overrides: [...overrides, setting] });
}

function withFlag(command: string, flag: string): string {
  return command.includes(' -- ') ? `${command} ${flag}` : `${command} -- ${flag}`;
}
