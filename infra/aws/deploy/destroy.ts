import { createInterface } from 'node:readline/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfigurationError } from '../configuration.ts';
import { keptName } from '../names.ts';
import { agreeOnRegion, readCommand, runCdk } from './cdk-command.ts';
import { findStack } from './deployed-stack.ts';
import { agreeToDestroy, destructionLines } from './destruction.ts';
import { keptPlaces } from './kept-resources.ts';
import { secretDocuments } from './secret-documents.ts';

/** Deletes the stack, but for what was paid for: ledger, questions and the secret they are found with stay. */
async function destroy(): Promise<void> {
  agreeOnRegion(process.env);
  const { settings, overrides, flags } = readCommand(process.argv.slice(2), ['yes']);
  const { stackName } = settings;
  const stack = await findStack(stackName);
  if (!stack) throw new ConfigurationError(`There is no stack ${stackName}.`);
  const account = { dynamo: new DynamoDBClient(), documents: secretDocuments(keptName(stackName, 'secret')) };
  const kept = await keptPlaces(account, settings);
  console.log(destructionLines({ stackName, stack, kept }).join('\n'));
  const ask = process.stdin.isTTY && process.stdout.isTTY ? askAtTerminal : undefined;
  await agreeToDestroy({ stackName, yes: flags.has('yes'), ask });
  await runCdk(['destroy', stackName, '--force', ...overrides.flatMap((text) => ['-c', text])]);
  if (await findStack(stackName))
    throw new ConfigurationError(
      `The stack ${stackName} is still there; see above, and destroy it once more.`,
    );
  const places = await keptPlaces(account, settings);
  if (places.length === 0) return;
  console.log(`
Kept: ${places.join(', ')}. The next deployment of ${stackName} takes them over.
The questions hold answers about people. To delete a table for good, take its deletion protection off first.`);
}

/** The end of the input is an empty line. */
async function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

try {
  await destroy();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigurationError ? error.message : `${error.name}: ${error.message}`);
  process.exitCode = 1;
}
