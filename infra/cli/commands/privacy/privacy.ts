import type { SheetCommand } from '../../sheet-command.ts';
import { addRecall } from './recall.ts';
import { addRetention } from './retention.ts';

/** `privacy retention|recall`: what is owed to the people whose data was obtained. */
export function addPrivacy(program: SheetCommand): void {
  const privacy = program.command('privacy').description('duties towards the people whose data was obtained');
  for (const add of [addRetention, addRecall]) add(privacy);
}
