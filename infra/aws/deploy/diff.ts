import { dataStackName } from '../names.ts';
import { settleAccess } from './access.ts';
import { refuseExample, stackBefore } from './before.ts';
import { contextArgs, readCommand, runCdk, runCommand } from './cdk-command.ts';
import { askOnce } from './terminal.ts';

/** Shows the changes that a deployment with these settings would make in both stacks. Changes nothing. */
async function diff(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  refuseExample(command);
  await settleAccess(process.env, askOnce);
  await stackBefore(command);
  const { stackName } = command.settings;
  // Compares only templates, because a change set would be a change in the account.
  await runCdk(['diff', dataStackName(stackName), stackName, '--method=template', ...contextArgs(command)]);
}

await runCommand(diff);
