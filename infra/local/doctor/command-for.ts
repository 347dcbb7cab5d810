import { commandText } from '#shared/kernel';
import type { Site } from './site.ts';

/** A command as a person types it for this installation: without its stack it would look at this machine. */
export function commandFor({ stack }: Pick<Site, 'stack'>, command: string): string {
  return commandText(command, stack?.name);
}
