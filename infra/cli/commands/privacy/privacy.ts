import type { SheetCommand } from '../../sheet-command.ts';
import { text } from '../../terminal/option-values.ts';
import { listNotices } from './notices.ts';
import { addRecall } from './recall.ts';
import { addRetention } from './retention.ts';
import { showSubject } from './subject.ts';

/** `privacy subject|notices|retention|recall`: what is owed to the people whose data was obtained. */
export function addPrivacy(program: SheetCommand): void {
  const privacy = program
    .command('privacy')
    .description('what is held of a person, which people have to be told, and values that have to go');
  privacy
    .command('subject <person>')
    .description(
      'all that is held of one person, of nobody else: an email, contacts/<id>, or its address in HubSpot',
    )
    .option('--out <file>', 'write it to a new file that only you may read', text)
    .example('contacts/123 --out export.txt')
    .sheet(showSubject);
  privacy
    .command('notices')
    .description('contacts whose people were not told yet where their data come from')
    .option('--overdue', 'only those whose day is over')
    .csv()
    .sheet(listNotices);
  for (const add of [addRetention, addRecall]) add(privacy);
}
