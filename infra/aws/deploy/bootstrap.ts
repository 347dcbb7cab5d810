import { ConfigurationError } from '../configuration.ts';
import type { Command } from './cdk-command.ts';
import { describeStack } from './deployed-stack.ts';
import type { Ask } from './terminal.ts';

/** The stack of `cdk bootstrap`. Every deployment needs it, because it stores the functions' code. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/**
 * Asks a person to agree to `cdk bootstrap`. The command creates a role with all rights. CloudFormation uses it for
 * all CDK deployments in this account and region.
 * @returns whether bootstrapping is needed
 * @throws ConfigurationError if the person does not agree
 */
export async function agreeToBootstrap({ flags }: Pick<Command, 'flags'>, ask: Ask): Promise<boolean> {
  if (await describeStack(BOOTSTRAP_STACK)) return false;
  if (flags.has('bootstrap')) return true;
  const answer = await ask(
    `This account and region have no stack ${BOOTSTRAP_STACK}. "cdk bootstrap" creates it: a bucket, a repository, and roles, one of them with all rights for CloudFormation. Type yes to bootstrap: `,
  );
  if (answer.trim() === 'yes') return true;
  throw new ConfigurationError('not-bootstrapped', {});
}
