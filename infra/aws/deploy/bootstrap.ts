import { ConfigurationError } from '../configuration.ts';
import type { Command } from './cdk-command.ts';
import { describeStack } from './deployed-stack.ts';

/** The stack of `cdk bootstrap`, which holds what every deployment needs: a place for the functions' code. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/**
 * Bootstrapping makes a role with all rights for CloudFormation, for everything that the CDK deploys in the account and
 * region: so a person agrees first.
 * @param ask shows a question and resolves with the line that was typed
 * @returns whether it has to be done
 * @throws ConfigurationError unless it is agreed
 */
export async function agreeToBootstrap(
  { flags }: Pick<Command, 'flags'>,
  ask: (question: string) => Promise<string>,
): Promise<boolean> {
  if (await describeStack(BOOTSTRAP_STACK)) return false;
  if (flags.has('bootstrap')) return true;
  const answer = await ask(
    `This account and region have no stack ${BOOTSTRAP_STACK}. "cdk bootstrap" creates it: a bucket, a repository, and roles, one of them with all rights for CloudFormation. Type yes to bootstrap: `,
  );
  if (answer.trim() === 'yes') return true;
  throw new ConfigurationError(
    'Nothing was deployed. Add --bootstrap to agree, or ask an administrator of the AWS account to bootstrap it.',
  );
}
