import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import type { CliIo } from '../terminal/cli-io.ts';
import { CliError, EXIT, usageError } from '../terminal/exit.ts';
import { installedAtSchema, type StackOutputs, stackOutputsSchema } from './schemas.ts';
import { accessOf } from './stack-access.ts';

/** What a deployed stack says of itself. */
export interface Deployed {
  readonly outputs: StackOutputs;
  /** Epoch milliseconds. */
  readonly installedAtMs: number;
}

/** @throws CliError in one sentence where there is no such stack, or no way to it. */
export async function readStack(name: string, env: CliIo['env']): Promise<Deployed> {
  const { Outputs = [], Parameters = [] } = await describe(name, env);
  const outputs = stackOutputsSchema.safeParse(
    Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue])),
  );
  const installedAt = installedAtSchema.safeParse(
    Parameters.find(({ ParameterKey }) => ParameterKey === 'InstalledAt')?.ParameterValue,
  );
  const missing = [
    ...(outputs.success ? [] : outputs.error.issues.map(({ path }) => path.join('.'))),
    ...(installedAt.success ? [] : ['InstalledAt']),
  ];
  if (!outputs.success || !installedAt.success) {
    throw usageError(
      `The stack ${name} does not tell its ${missing.join(', ')}: it is another program's, or deploy it with this version.`,
    );
  }
  return { outputs: outputs.data, installedAtMs: Date.parse(installedAt.data) };
}

async function describe(StackName: string, env: CliIo['env']): Promise<Stack> {
  const client = new CloudFormationClient(accessOf(env, 'CLOUDFORMATION'));
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const [stack] = Stacks;
    if (stack) return stack;
  } catch (error) {
    // CloudFormation has no error of its own for it.
    if (!(error instanceof Error && /does not exist/.test(error.message))) throw notReached(StackName, error);
  } finally {
    client.destroy();
  }
  const message = `There is no stack ${StackName}: see --stack, and AWS_PROFILE and AWS_REGION for the account it is in.`;
  throw new CliError(message, { exit: EXIT.notFound, code: 'no-stack' });
}

/** No credentials, no region, no right, no network: nothing that trying again would change. */
function notReached(stackName: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = `AWS does not tell of the stack ${stackName} (${error.name}): see AWS_PROFILE and AWS_REGION, and that you may read it.`;
  return new CliError(message, { exit: EXIT.usage, code: 'aws-refused' });
}
