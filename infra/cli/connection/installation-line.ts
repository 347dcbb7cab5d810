import type { ReadingConnection } from './connection.ts';

type Installation = Pick<ReadingConnection, 'isReal' | 'path' | 'stack' | 'policies'> & {
  readonly services: Pick<ReadingConnection['services'], 'portal'>;
};

/** Names the installation of a command, so that a person does not confuse the stand-ins with the real services. */
export async function installationLine(installation: Installation): Promise<string> {
  const { policies } = installation;
  const line = await placeLine(installation);
  if (!policies) return line;
  return `${line}; this command uses the policy ${policies.ours}, the running system uses ${policies.running}`;
}

async function placeLine({ stack, isReal, path, services }: Installation): Promise<string> {
  if (stack) return `stack ${stack.name} (${stack.region})`;
  if (!isReal) return `STAND-INS on this machine (data folder ${path})`;
  const portal = await services.portal.known();
  return `this machine, with real accounts (${portal ? `portal ${portal.portalId}` : 'portal not known before the first start'})`;
}
