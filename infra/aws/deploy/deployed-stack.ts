import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';

/** A stack that is in use. */
export interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A stack in any state. Even a stack whose creation or deletion failed blocks its name. */
export interface FoundStack {
  readonly status: string;
  readonly accountId: string;
  readonly region: string;
}

/** States of a stack whose creation failed or that is being deleted. Such a stack counts as missing. */
const GONE = /^(?:ROLLBACK|DELETE|REVIEW)_|^CREATE_FAILED$/;

/** Returns the stack of this name, or `undefined` if none is in use. */
export async function describeStack(stackName: string): Promise<DeployedStack | undefined> {
  const stack = await stackOf(new CloudFormationClient(AWS_TIMEOUTS), stackName);
  if (!stack || GONE.test(stack.StackStatus ?? '')) return undefined;
  const { Outputs = [], Parameters = [] } = stack;
  return {
    outputs: Object.fromEntries(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
    parameters: Object.fromEntries(
      Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
    ),
  };
}

/** Returns the stack of this name, even if its creation or deletion failed. */
export async function findStack(stackName: string): Promise<FoundStack | undefined> {
  const stack = await stackOf(new CloudFormationClient(AWS_TIMEOUTS), stackName);
  if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
  // arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>
  const [, , , region = '', accountId = ''] = (stack.StackId ?? '').split(':');
  return { status: stack.StackStatus ?? '', accountId, region };
}

/** Removes the termination protection, so that the stack can be deleted. */
export async function unprotectStack(StackName: string): Promise<void> {
  const EnableTerminationProtection = false;
  const command = new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection });
  await new CloudFormationClient(AWS_TIMEOUTS).send(command);
}

/** Physical ids of the resources of an existing stack. */
export async function resourcesOfStack(StackName: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const client = new CloudFormationClient(AWS_TIMEOUTS);
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { PhysicalResourceId, ResourceStatus = '' } of StackResourceSummaries)
      if (PhysicalResourceId !== undefined && !/^DELETE_/.test(ResourceStatus)) ids.add(PhysicalResourceId);
  }
  return ids;
}

/** Names of all stacks in use, in this account and region, that have an output of this name. */
export async function stacksWithOutput(output: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks(
    { client: new CloudFormationClient(AWS_TIMEOUTS) },
    {},
  )) {
    for (const { StackName, StackStatus = '', Outputs = [] } of Stacks) {
      const isLike = !GONE.test(StackStatus) && Outputs.some(({ OutputKey }) => OutputKey === output);
      if (StackName !== undefined && isLike) names.push(StackName);
    }
  }
  return names;
}

async function stackOf(client: CloudFormationClient, StackName: string) {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    // CloudFormation has no specific error for a missing stack.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
