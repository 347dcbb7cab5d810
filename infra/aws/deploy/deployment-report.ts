import type { AlarmSubscriptions } from '#shared/alerts';
import { alarmMailProblem } from '#shared/alerts/adapters';
import { sentenceRow } from '#shared/kernel';
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

interface Keys {
  readonly place: string;
  readonly keys: readonly string[];
}
const KEYS: Keys = { place: 'the parameters of SSM under /crm/', keys: ['HUBSPOT_CLIENT_SECRET'] };
const ALARM_EMAIL = { alarmEmail: 'operator@crm.example' };

/** Texts of the report on a deployment, by code. */
export const REPORT_TEXTS = {
  put: sentenceRow(KEYS, ({ place, keys }) => `Put into ${place}: ${keys.join(', ')}.`),
  replaced: sentenceRow(KEYS, ({ place, keys }) => `Replaced in ${place}: ${keys.join(', ')}.`),
  kept: sentenceRow(
    KEYS,
    ({ place, keys }) =>
      `WARNING: ${place} has another value than this shell for ${keys.join(', ')}, and keeps it; to replace it:`,
  ),
  'all-there': sentenceRow({ place: KEYS.place }, ({ place }) => `All keys are in ${place}.`),
  'not-read': sentenceRow(
    KEYS,
    ({ place, keys }) => `Left as they were, and not read: ${keys.join(', ')} in ${place}.`,
  ),
  'nothing-enriched': sentenceRow(
    KEYS,
    ({ place, keys }) =>
      `WARNING: nothing is enriched yet: ${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} not in ${place}.`,
  ),
  'webhooks-refused': 'Until then webhooks are answered with 503; HubSpot repeats them for a day.',
  'deploy-again': 'Deploy once more with its keys, as explained below.',
  'alarms-confirmed': sentenceRow(
    ALARM_EMAIL,
    ({ alarmEmail }) => `Alarms go to ${alarmEmail}, which is confirmed.`,
  ),
  'alarms-unread': sentenceRow(
    { ...ALARM_EMAIL, code: 'AuthorizationErrorException' },
    ({ alarmEmail, code }) =>
      `Alarms go to ${alarmEmail} once it is confirmed, which was not checked (${code}); check it with`,
  ),
  'no-alarms': 'WARNING: alarmEmail is not set: no one gets the alarms; deploy with',
  'own-app-unknown': 'WARNING: hubSpotAppId is not set: our writes are recognised by their fingerprint only.',
};

/** Reports the changes to the keys, before the deployment. Names variables, never values. */
export function secretLines({
  command,
  secrets,
}: Omit<Deployment, 'outputs' | 'alarmMail'>): readonly string[] {
  const { filled, replaced, ignored } = secrets;
  const place = placeOf(command);
  return [
    ...(filled.length > 0 ? [REPORT_TEXTS.put.text({ place, keys: filled })] : []),
    ...(replaced.length > 0 ? [REPORT_TEXTS.replaced.text({ place, keys: replaced })] : []),
    ...(ignored.length > 0
      ? [
          REPORT_TEXTS.kept.text({ place, keys: ignored }),
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
    ...(secrets.missing.length > 0 ? [`  2. ${REPORT_TEXTS['deploy-again']}`] : []),
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
        REPORT_TEXTS['alarms-unread'].text({ alarmEmail, code: alarmMail.unread }),
        `  npm run -s cli -- doctor --stack ${stackName}`,
      ];
    const problem = alarmMailProblem(alarmMail);
    if (!problem) return [REPORT_TEXTS['alarms-confirmed'].text({ alarmEmail })];
    return ['', `WARNING: ${problem.seen} (${alarmEmail}).`, `To do: ${problem.advice}`];
  }
  return ['', REPORT_TEXTS['no-alarms'], `  ${withSetting(command, 'alarmEmail=...')}`];
}

function missingLines(
  command: Deployment['command'],
  { missing, unread }: Pick<Filling, 'missing' | 'unread'>,
): readonly string[] {
  const place = placeOf(command);
  if (missing.length === 0)
    return unread.length === 0
      ? [REPORT_TEXTS['all-there'].text({ place })]
      : [REPORT_TEXTS['not-read'].text({ place, keys: unread })];
  return [
    '',
    REPORT_TEXTS['nothing-enriched'].text({ place, keys: missing }),
    ...(missing.includes('HUBSPOT_CLIENT_SECRET') ? [REPORT_TEXTS['webhooks-refused']] : []),
    'Values that are there stay as they are. Once the app is uploaded, deploy once more with',
    `  ${missing.map((variable) => `${variable}=...`).join(' ')} ${typed('deploy', command)}`,
  ];
}

function ownAppWarning(command: Deployment['command']): readonly string[] {
  return [
    '',
    REPORT_TEXTS['own-app-unknown'],
    'Once the app is uploaded, put its id into cdk.json, or deploy with',
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
