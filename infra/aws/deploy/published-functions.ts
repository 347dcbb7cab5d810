import {
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { AWS_TIMEOUTS } from '#shared/http';
import { LIVE_ALIAS } from '../names.ts';
import { type PublishedFunction, releaseIn } from './releases.ts';

/** Reads a function's versions and the version of its alias. @throws LambdaServiceException if Lambda refuses */
export async function readPublished(name: string): Promise<PublishedFunction> {
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
export async function pointAlias(name: string, version: number): Promise<void> {
  const target = { FunctionName: name, Name: LIVE_ALIAS, FunctionVersion: String(version) };
  await new LambdaClient(AWS_TIMEOUTS).send(new UpdateAliasCommand(target));
}
