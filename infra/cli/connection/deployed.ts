import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { parseJson } from '#shared/kernel';
import { CliError } from '../terminal/exit.ts';
import { type StackOutputs, stackOutputsSchema, templateSchema } from './schemas.ts';
import type { StackAccess } from './stack-access.ts';

/** Outputs and policy of a deployed stack. */
export interface Deployed {
  readonly outputs: StackOutputs;
  /** Policy of the stack's functions. */
  readonly policyJson: string;
}

/** @throws CliError if there is no such stack, or AWS refuses access. */
export async function readStack(name: string, access: StackAccess): Promise<Deployed> {
  const { outputs: described, template } = await describe(name, access);
  const outputs = stackOutputsSchema.safeParse(described);
  const parsed = templateSchema.safeParse(template);
  const missing = [
    ...(outputs.success ? [] : outputs.error.issues.map(({ path }) => path.join('.'))),
    ...(parsed.success ? [] : ['Policy']),
  ];
  if (!outputs.success || !parsed.success) {
    const message = `The stack ${name} has no output ${missing.join(', ')}. It is another program's stack, or an older version: deploy this one.`;
    throw new CliError(message, { code: 'no-output', params: { stack: name, missing } });
  }
  return { outputs: outputs.data, policyJson: parsed.data.Metadata.Policy };
}

async function describe(StackName: string, access: StackAccess) {
  const client = new CloudFormationClient(access('CLOUDFORMATION'));
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]);
    return { outputs: Object.fromEntries(outputs), template: parseJson(TemplateBody) };
  } catch (error) {
    // CloudFormation has no error code for a missing stack.
    if (!(error instanceof Error && /does not exist/.test(error.message)))
      throw stackUnreadable(StackName, error);
  } finally {
    client.destroy();
  }
  const message = `There is no stack ${StackName}. Check --stack, and AWS_PROFILE and AWS_REGION for its account.`;
  throw new CliError(message, { code: 'no-stack', params: { stack: StackName } });
}

/** Error for missing credentials, region, rights or network, where a retry would not help. */
function stackUnreadable(stackName: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = `AWS does not return the stack ${stackName} (${error.name}). Check AWS_PROFILE and AWS_REGION, and that you may read it.`;
  const params = { stack: stackName, name: error.name };
  return new CliError(message, { code: 'aws-refused', params });
}
