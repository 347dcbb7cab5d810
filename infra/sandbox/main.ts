#!/usr/bin/env node
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { systemClock } from '../../shared/kernel/adapters.ts';
import { ACTIVE_KEYS, createDataServiceSandbox } from './data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from './hubspot/hubspot-sandbox.ts';
import { type Served, serveSandbox } from './serve.ts';

const USAGE = `npm run sandbox -- [--data-service-port P] [--hubspot-port Q]

Starts each stand-in whose port is given (0 takes any free port).`;

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(65_535)).optional();
const ARGUMENTS = z.object({ 'data-service-port': port, 'hubspot-port': port });

async function serveDataService(port: number): Promise<Served> {
  const { handle, world } = createDataServiceSandbox({ clock: systemClock });
  const served = await serveSandbox({ handle, port });
  console.log(`
Data service  ${served.url}
  X-API-KEY   ${ACTIVE_KEYS.join(' or ')}
  has         ${world.people.length} people at ${world.companies.length} companies; none of them exists
  try         curl -H 'X-API-KEY: ${ACTIVE_KEYS[0]}' '${served.url}/api/v1/company/profile?domain=${world.companies[0]?.domains[0]}'
  bill        GET  ${served.url}/_sandbox/bill
  records     GET  ${served.url}/_sandbox/records?kind=person|company&limit=&offset=
  settings    GET, PUT ${served.url}/_sandbox/settings   (balance, rate limit, latency, faults)
  start over  POST ${served.url}/_sandbox/reset`);
  return served;
}

async function serveHubSpot(port: number, stop: AbortSignal): Promise<Served> {
  const sandbox = createHubSpotSandbox({ clock: systemClock });
  const served = await serveSandbox({ handle: sandbox.handle, port });
  void sandbox.startWebhooks(stop);
  console.log(`
HubSpot       ${served.url}
  token       Authorization: Bearer sandbox-token (webhooks are signed with sandbox-client-secret)
  webhooks    PUT  ${served.url}/_sandbox/settings {"webhookUrl":"http://..."} starts them
  records     GET  ${served.url}/_sandbox/records; as a person: POST /_sandbox/create, /_sandbox/edit
  settings    GET, PUT ${served.url}/_sandbox/settings
  start over  POST ${served.url}/_sandbox/reset`);
  return served;
}

async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { 'data-service-port': option, 'hubspot-port': option, help: { type: 'boolean' } },
  });
  const { 'data-service-port': dataServicePort, 'hubspot-port': hubSpotPort } = ARGUMENTS.parse(values);
  if (values.help) return console.log(USAGE);
  if ((dataServicePort ?? hubSpotPort) === undefined) throw new Error('No port is given.');
  const stop = new AbortController();
  const served = [
    dataServicePort !== undefined && (await serveDataService(dataServicePort)),
    hubSpotPort !== undefined && (await serveHubSpot(hubSpotPort, stop.signal)),
  ].filter((one) => one !== false);
  console.log('\nCtrl-C stops.');
  const end = () => {
    stop.abort();
    void Promise.all(served.map((one) => one.close()));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

try {
  await main();
} catch (error) {
  const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  console.error(`${problem}\n\n${USAGE}`);
  process.exitCode = 2;
}
