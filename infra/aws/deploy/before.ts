import { ConfigurationError } from '../configuration.ts';
import { dataStackName, installationOf, LASTING_OUTPUT } from '../names.ts';
import type { Command } from './cdk-command.ts';
import { refuseOlderFormats } from './data-formats.ts';
import { type DeployedStack, describeStack, stacksWithOutput } from './deployed-stack.ts';
import { refuseForgotten, refuseSecondStack } from './lasting-settings.ts';

/** Before anybody is asked for a code. @throws ConfigurationError where the address of the data service is still that of an example */
export function refuseExample({ settings: { dataServiceBaseUrl } }: Command): void {
  if (!new URL(dataServiceBaseUrl).hostname.endsWith('.example')) return;
  throw new ConfigurationError(
    'Put the address of the data service into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
  );
}

/**
 * The functions' stack as it stands before a deployment, or before a look at what one would change. What must not be
 * forgotten is told by the other one, whether there are functions or not.
 * @throws ConfigurationError where a newer version wrote the data, or where settings differ from the installation's
 * and the command does not confirm the change
 */
export async function stackBefore(command: Command): Promise<DeployedStack | undefined> {
  const { stackName } = command.settings;
  const data = await describeStack(dataStackName(stackName));
  refuseOlderFormats(data?.outputs);
  refuseForgotten(data?.outputs, command);
  if (!data) refuseSecondStack((await stacksWithOutput(LASTING_OUTPUT)).map(installationOf), command);
  return describeStack(stackName);
}
