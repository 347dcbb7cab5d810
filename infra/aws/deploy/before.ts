import { ConfigurationError } from '../configuration.ts';
import { LASTING_OUTPUT } from '../names.ts';
import type { Command } from './cdk-command.ts';
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
 * The functions' stack as it stands before a deployment, or before a look at what one would change.
 * @throws ConfigurationError where the settings are not those of the installation, and nobody has said so
 */
export async function stackBefore(command: Command): Promise<DeployedStack | undefined> {
  const { stackName } = command.settings;
  const before = await describeStack(stackName);
  refuseForgotten(before?.outputs, command);
  if (!before) refuseSecondStack(await stacksWithOutput(LASTING_OUTPUT), command);
  return before;
}
