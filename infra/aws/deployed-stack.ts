import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

/** A stack as it stands in the account. */
export interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  /** Logical ids of the resources that it has. */
  readonly resources: ReadonlySet<string>;
}

/** What of a stack that could not be created, or is being deleted, is left does not belong to it any more. */
const GONE = /^(?:ROLLBACK|DELETE|REVIEW)_|^CREATE_FAILED$/;
/** `DELETE_SKIPPED`: CloudFormation has let go of what is to be kept. */
const NOT_OWNED = /^(?:DELETE_|CREATE_FAILED|CREATE_IN_PROGRESS)/;

/** The stack of this name, or nothing where none is in use. */
export async function describeStack(stackName: string): Promise<DeployedStack | undefined> {
  const client = new CloudFormationClient();
  const stack = await stackOf(client, stackName);
  if (!stack || GONE.test(stack.StackStatus ?? '')) return undefined;
  const { Outputs = [], Parameters = [] } = stack;
  return {
    outputs: Object.fromEntries(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
    parameters: Object.fromEntries(
      Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
    ),
    resources: await resourcesOf(client, stackName),
  };
}

async function stackOf(client: CloudFormationClient, StackName: string) {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    // CloudFormation has no error of its own for it.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

async function resourcesOf(client: CloudFormationClient, StackName: string): Promise<ReadonlySet<string>> {
  const owned = new Set<string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { LogicalResourceId = '', ResourceStatus = '' } of StackResourceSummaries) {
      if (!NOT_OWNED.test(ResourceStatus)) owned.add(LogicalResourceId);
    }
  }
  return owned;
}
