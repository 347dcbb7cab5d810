import { agreeOnRegion, readCommand, runCdk } from './cdk-command.ts';
import { ConfigurationError } from './configuration.ts';
import { describeStack } from './deployed-stack.ts';
import { leftBehind } from './kept-resources.ts';
import { keptName } from './names.ts';

/** Deletes the stack, but for what was paid for: ledger, questions and the secret they are found with stay. */
async function destroy(): Promise<void> {
  agreeOnRegion(process.env);
  const { settings, overrides } = readCommand(process.argv.slice(2));
  const { stackName } = settings;
  if (!(await describeStack(stackName))) throw new ConfigurationError(`There is no stack ${stackName}.`);
  await runCdk(['destroy', stackName, '--force', ...overrides.flatMap((text) => ['-c', text])]);
  const kept = (await leftBehind(settings, await describeStack(stackName))).map((name) =>
    keptName(stackName, name),
  );
  console.log(
    [
      '',
      `Kept: ${kept.join(', ') || 'nothing'}. The next deployment of ${stackName} takes them over.`,
      'The questions hold answers about people. To delete a table for good, take its deletion protection off first.',
    ].join('\n'),
  );
}

try {
  await destroy();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigurationError ? error.message : `${error.name}: ${error.message}`);
  process.exitCode = 1;
}
