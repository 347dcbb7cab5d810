import {
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration-faults.ts';
import { FUNCTIONS, LIVE_ALIAS, releaseText } from '../names.ts';
import { type Ask, readCommand, runCommand, settleAccess, typed } from './command.ts';
import { describeStack } from './stacks.ts';

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
      stackName,
      found: names.length,
      all: FUNCTIONS.length,
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

export interface PublishedFunction {
  readonly name: string;
  /** The version that its alias points to. */
  readonly liveVersion: number;
  readonly versions: readonly PublishedVersion[];
}

interface PublishedVersion {
  readonly version: number;
  readonly release: string;
  /** The time as Lambda returns it. For display only. */
  readonly publishedAt: string;
}

/** One version of each function, all of the same release. */
interface ReleaseSwitch {
  readonly from: string;
  readonly to: string;
  readonly publishedAt: string;
  readonly versions: readonly { readonly name: string; readonly version: number }[];
}

/** Reads the release from a version's description. @returns `undefined` if the description names none */
export function releaseIn(description: string): string | undefined {
  const [, release] = description.split(`, ${releaseText('')}`);
  return release;
}

/**
 * Chooses the release before the live one, or the wished release. After an interrupted switch, several releases are
 * live. Then the newest of them counts as the live one, so that the same command completes the switch.
 * @throws ConfigurationError if the release does not exist, or if a function has no version of it
 */
export function chooseRelease(functions: readonly PublishedFunction[], wished?: string): ReleaseSwitch {
  const releases = commonReleases(functions);
  const live = new Set(
    functions.map(
      ({ liveVersion, versions }: PublishedFunction): string | undefined =>
        versions.find(({ version }) => version === liveVersion)?.release,
    ),
  );
  const from = releases.findLast((release) => live.has(release));
  const to = wished ?? releases[releases.indexOf(from ?? '') - 1];
  const known = { releases: releases.join(', ') || 'none' };
  if (from === undefined) throw new ConfigurationError('no-common-release', known);
  if (to === undefined) throw new ConfigurationError('no-release-before', { ...known, from });
  if (!releases.includes(to)) throw new ConfigurationError('unknown-release', { ...known, to });
  const versions = functions.map((each) => ({ name: each.name, ...newestOf(each, to) }));
  return { from, to, publishedAt: versions[0]?.publishedAt ?? '', versions };
}

/**
 * Releases that all functions have, oldest first. A release that was deployed twice has the place of its last
 * deployment.
 */
function commonReleases(functions: readonly PublishedFunction[]): readonly string[] {
  const [first, ...others] = functions.map(({ versions }) => {
    const ordered = [...versions].sort((one, other) => other.version - one.version);
    return [...new Set(ordered.map(({ release }) => release))].reverse();
  });
  return (first ?? []).filter((release) => others.every((of) => of.includes(release)));
}

function newestOf({ name, versions }: PublishedFunction, release: string): PublishedVersion {
  const ordered = [...versions].sort((one, other) => one.version - other.version);
  const found = ordered.findLast((each) => each.release === release);
  if (!found) throw new Error(`${name} has no version of release ${release}.`);
  return found;
}

/** Reads a function's versions and the version of its alias. @throws LambdaServiceException if Lambda refuses */
async function readPublished(name: string): Promise<PublishedFunction> {
  const client = new LambdaClient(AWS_TIMEOUTS);
  const alias = await client.send(new GetAliasCommand({ FunctionName: name, Name: LIVE_ALIAS }));
  const versions: PublishedFunction['versions'][number][] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName: name }))
    for (const { Version, Description = '', LastModified = '' } of Versions) {
      const release = releaseIn(Description);
      // The list also contains $LATEST, which is not a published version.
      if (release !== undefined && Version !== '$LATEST')
        versions.push({ version: Number(Version), release, publishedAt: LastModified });
    }
  return { name, liveVersion: Number(alias.FunctionVersion), versions };
}

/** Points the alias to a version. Requests in progress end on the former one. @throws LambdaServiceException */
async function pointAlias(name: string, version: number): Promise<void> {
  const target = { FunctionName: name, Name: LIVE_ALIAS, FunctionVersion: String(version) };
  await new LambdaClient(AWS_TIMEOUTS).send(new UpdateAliasCommand(target));
}
