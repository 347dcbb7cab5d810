import { ConfigurationError } from '../configuration.ts';
import { dataStackName, installationOf, LASTING_OUTPUT } from '../names.ts';
import type { Command } from './cdk-command.ts';
import { refuseOtherFormat } from './data-formats.ts';
import { type DeployedStack, describeStack, stacksWithOutput } from './deployed-stack.ts';
import { refuseForgotten, refuseSecondStack } from './lasting-settings.ts';

/** Refuses the example address of the data service, before the command asks for a code. @throws ConfigurationError */
export function refuseExample({ settings: { dataServiceBaseUrl } }: Command): void {
  if (!new URL(dataServiceBaseUrl).hostname.endsWith('.example')) return;
  throw new ConfigurationError('example-address', {});
}

/**
 * Reads the functions' stack before a deployment, or before a comparison. Reads the settings to keep from the data
 * stack, which exists even without functions.
 * @throws ConfigurationError if the data have another format, or if settings differ from the installation's and the
 * command does not confirm the change
 */
export async function stackBefore(command: Command): Promise<DeployedStack | undefined> {
  const { stackName } = command.settings;
  const data = await describeStack(dataStackName(stackName));
  refuseOtherFormat(data?.outputs);
  refuseForgotten(data?.outputs, command);
  if (!data) refuseSecondStack((await stacksWithOutput(LASTING_OUTPUT)).map(installationOf), command);
  return describeStack(stackName);
}
