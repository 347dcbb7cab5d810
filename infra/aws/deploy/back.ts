import { ConfigurationError } from '../configuration.ts';
import { FUNCTIONS } from '../names.ts';
import { settleAccess } from './access.ts';
import { readCommand, runCommand, typed } from './cdk-command.ts';
import { describeStack } from './deployed-stack.ts';
import { pointAlias, readPublished } from './published-functions.ts';
import { chooseRelease } from './releases.ts';
import type { Ask } from './terminal.ts';

/** Switches all functions to the previous release within seconds. It changes only their aliases and deploys nothing. */
export async function back(args: readonly string[], ask: Ask): Promise<void> {
  const command = readCommand(args, ['yes'], ['to']);
  const { stackName } = command.settings;
  await settleAccess(process.env, ask);
  const stack = await describeStack(stackName);
  if (!stack) throw new ConfigurationError('no-stack', { stackName });
  const names = Object.keys(stack.outputs).filter((key) => key.endsWith('Function'));
  if (names.length !== FUNCTIONS.length)
    throw new ConfigurationError('lacks-functions', {
      ...{ stackName, found: names.length, all: FUNCTIONS.length },
    });
  const functions = await Promise.all(names.map((key) => readPublished(stack.outputs[key] ?? '')));
  const { from, to, publishedAt, versions } = chooseRelease(functions, command.values['to']);
  console.log(
    `${stackName} runs release ${from}. Release ${to} was published ${publishedAt}. Roles, queues, schedules, secrets and stored data stay as they are.`,
  );
  const question = `Switch ${versions.length} functions to release ${to}? Type yes: `;
  if (!command.flags.has('yes') && (await ask(question)).trim() !== 'yes')
    throw new ConfigurationError('switch-declined', {});
  for (const { name, version } of versions) await pointAlias(name, version);
  console.log(
    [
      `Release ${to} runs now. To go forward again:`,
      `  ${typed('back', { overrides: command.overrides })}${command.overrides.length > 0 ? '' : ' --'} --to ${from}`,
      `  npm run -s cli -- doctor --stack ${stackName}    checks the installation`,
    ].join('\n'),
  );
}

if (import.meta.main) await runCommand(back);
