import { commandText } from '#shared/kernel';
import type { Site } from './site.ts';

/** Command as a person types it for this installation. Without the stack's name it would use this machine's data. */
export function commandFor({ stack }: Pick<Site, 'stack'>, command: string): string {
  return commandText(command, stack?.name);
}
