import type { SheetCommand } from '../../sheet-command.ts';
import { text } from '../../terminal/option-values.ts';
import { listNotices } from './notices.ts';
import { addRecall } from './recall.ts';
import { addRetention } from './retention.ts';
import { showSubject } from './subject.ts';

/** `privacy subject|notices|retention|recall`: duties towards the people whose data was obtained. */
export function addPrivacy(program: SheetCommand): void {
  const privacy = program
    .command('privacy')
    .description("show a person's data, notices that are due, and data past its retention period");
  privacy
    .command('subject <person>')
    .description(
      "show all stored data of one person: give an email, contacts/<id>, or the record's URL in HubSpot",
    )
    .option('--out <file>', 'write it to a new file that only you may read', text)
    .example('contacts/123 --out export.txt')
    .sheet(showSubject);
  privacy
    .command('notices')
    .description('list people who must still be informed about the source of their data')
    .option('--overdue', 'only overdue notices')
    .csv()
    .sheet(listNotices);
  for (const add of [addRetention, addRecall]) add(privacy);
}
