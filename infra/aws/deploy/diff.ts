import { dataStackName } from '../names.ts';
import { type Ask, contextArgs, readCommand, runCdk, runCommand, settleAccess } from './command.ts';
import { refuseExample, stackBefore } from './stacks.ts';

/** Shows the changes that a deployment with these settings would make in both stacks. Changes nothing. */
export async function diff(args: readonly string[], ask: Ask): Promise<void> {
  const command = readCommand(args);
  refuseExample(command);
  await settleAccess(process.env, ask);
  await stackBefore(command);
  const { stackName } = command.settings;
  // Compares only templates, because a change set would be a change in the account.
  await runCdk(['diff', dataStackName(stackName), stackName, '--method=template', ...contextArgs(command)]);
}

if (import.meta.main) await runCommand(diff);
