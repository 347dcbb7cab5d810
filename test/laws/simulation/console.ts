import { type Clock, UpstreamError } from '#shared/kernel';
import type { Connection } from '../../../infra/cli/connection/connection.ts';
import { ownConnections } from '../../../infra/cli/connection/connections.ts';
import { createProgram } from '../../../infra/cli/run.ts';
import type { Cli } from '../../../infra/cli/sheet-command.ts';
import { CliError } from '../../../infra/cli/terminal/exit.ts';
import { createFuse, type FusePlan, Severed } from '../../harness/fuse.ts';
import { APP_ID } from '../../harness/hubspot-portal.ts';
import type { World } from '../../harness/world.ts';

/** Output of a command; `undefined` if it ended with an expected error. */
export type Run = (...argv: readonly string[]) => Promise<string | undefined>;

/** Opens the operator's commands over the books of a world. */
export function openConsole(
  { services, policy, clock, newId }: World,
  screen: Partial<Cli['io']> = {},
  onRefused: (error: CliError) => void = () => undefined,
): Run {
  const connection = {
    services,
    policy,
    clock: clock as Clock,
    newId,
    ownApp: async () => ({ setting: String(APP_ID) }),
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    close: async () => undefined,
  } as unknown as Connection;
  return async (...argv) => {
    const printed: string[] = [];
    const io = {
      clock,
      env: {},
      out: (text: string) => printed.push(text),
      err: () => undefined,
      colours: false,
      ...screen,
    };
    const cli: Cli = {
      io,
      end: () => undefined,
      connections: { ...ownConnections, open: async () => connection, openToRead: async () => connection },
    };
    try {
      await createProgram(cli).parseAsync([...argv], { from: 'user' });
    } catch (error) {
      if (error instanceof CliError) onRefused(error);
      // The command prints such errors in one sentence.
      if (error instanceof CliError || error instanceof UpstreamError || error instanceof Severed)
        return undefined;
      throw error;
    }
    return printed.join('');
  };
}

export type Commands = ReturnType<typeof createCommands>;

/** Runs commands of a person. Each is its own process, and may be cut off. */
export function createCommands(world: World) {
  const strikes: FusePlan[] = [];
  return {
    /** Plans faults for the next commands: one for each, and none for later ones. */
    plan: (wanted: readonly FusePlan[]) => void strikes.splice(0, strikes.length, ...wanted),
    run: async (...argv: readonly string[]): Promise<string | undefined> => {
      const strike = strikes.shift();
      if (!strike) return openConsole(world)(...argv);
      const fuse = createFuse(world.clock);
      fuse.arm(strike);
      return openConsole({ ...world, services: world.servicesOfPerson(fuse) })(...argv);
    },
  };
}
