import { commandText } from '#shared/kernel';
import type { Site } from './site.ts';

/**
 * Command as a person types it for this installation. For a stack it names the stack, because a command without a
 * name uses this machine's data.
 */
export function commandFor({ stack }: Pick<Site, 'stack'>, command: string): string {
  return commandText(command, stack?.name);
}
