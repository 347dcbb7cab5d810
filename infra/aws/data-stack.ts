import { CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import type { Configuration } from './configuration.ts';
import { dataFormat, FORMATS_OUTPUT } from './deploy/data-formats.ts';
import { lastingSettings } from './deploy/lasting-settings.ts';
import { dataStackName, LASTING_OUTPUT, type StackParameter, stackParameterName } from './names.ts';
import { pinned } from './pinned.ts';
import { stackWide } from './stack-wide.ts';
import { Tables } from './tables.ts';

/**
 * Creates the lasting resources: the tables, the webhook's address with its access log, the time of installation, and
 * the settings that later deployments must keep. The compute stack finds these by fixed names, and this stack does not
 * depend on it. So the compute stack can be changed, removed and deployed again.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    const { stackName } = configuration;
    super(scope, dataStackName(stackName), {
      stackName: dataStackName(stackName),
      ...stackWide(configuration),
      description: `${stackName}: what was paid for, its books, and the webhook's address.`,
      terminationProtection: true,
    });
    new Tables(this, configuration);
    const api = new Api(this, configuration);
    const parameters: Readonly<Record<StackParameter, string>> = {
      apiId: api.apiId,
      accessLog: api.accessLogName,
      webhookUrl: api.webhookUrl,
      installedAt: installedAt(this),
    };
    for (const [id, key] of PARAMETER_IDS) {
      const parameterName = stackParameterName(stackName, key);
      pinned(
        new StringParameter(this, `${id}Told`, { parameterName, stringValue: parameters[key] }),
        `${id}Told`,
      );
    }
    new CfnOutput(this, 'WebhookUrl', { value: parameters.webhookUrl });
    publishInstallation(this, configuration);
  }
}

/**
 * Stores the settings and formats that the next deployment reads before it starts. `deploy` reads them from outputs.
 * They are also the value of a resource, because CloudFormation can treat a stack as unchanged if only its outputs
 * changed.
 */
function publishInstallation(stack: Stack, configuration: Configuration): void {
  const outputs = {
    [LASTING_OUTPUT]: JSON.stringify(lastingSettings(configuration)),
    [FORMATS_OUTPUT]: JSON.stringify(dataFormat()),
  };
  for (const [id, value] of Object.entries(outputs)) new CfnOutput(stack, id, { value });
  const parameterName = `/${configuration.stackName}/installation`;
  const parameter = { parameterName, stringValue: JSON.stringify(outputs) };
  pinned(new StringParameter(stack, 'InstallationTold', parameter), 'InstallationTold');
}

const PARAMETER_IDS: readonly (readonly [string, StackParameter])[] = [
  ['ApiId', 'apiId'],
  ['AccessLog', 'accessLog'],
  ['WebhookUrl', 'webhookUrl'],
  ['InstalledAt', 'installedAt'],
];

/**
 * Time of the installation, which must never change. Records created before it are not enriched. It is a parameter of
 * the stack: `deploy` sets it at the first deployment only, and CloudFormation keeps the value in later deployments
 * from any machine. A file could be lost, and a time taken at synthesis would change with every deployment.
 */
function installedAt(stack: Stack): string {
  const parameter = new CfnParameter(stack, 'InstalledAt', {
    type: 'String',
    allowedPattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
    constraintDescription: 'must be a time such as 2026-11-21T09:00:00Z',
    description: 'Records created before this are left alone. Set by the first deployment, then kept.',
  });
  return parameter.valueAsString;
}
