import { counted, utcDay } from '#shared/kernel';
import { type Notice, unsentNotices } from '#shared/privacy';
import { hubSpotPages, label } from '#shared/spend';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { type Sheet, tableOf } from '../../terminal/sheet.ts';

/** Later than the due date of any notice, so that the search returns all notices. */
const ALL_MS = Date.UTC(2200, 0, 1);

const COLUMNS = ['contact', 'due', 'overdue', 'obtained', 'source', 'link'] as const;

/** `privacy notices`: lists contacts that have not received their notice yet. Shows no names. */
export async function listNotices(
  run: CommandRun,
  { overdue = false }: CommandOptions & { readonly overdue?: boolean },
): Promise<Sheet> {
  const { services, clock, policy, hubSpotSite } = await run.connect();
  const nowMs = clock.now();
  const today = utcDay(nowMs);
  const hubSpot = hubSpotPages(hubSpotSite, (await services.portal.known())?.portalId);
  const found: Notice[] = [];
  let shownDone: ((done: number) => void) | undefined;
  for await (const { notices, total } of unsentNotices(services.crm, { dueByMs: overdue ? nowMs : ALL_MS })) {
    shownDone ??= run.progress({ noun: 'contacts', total });
    found.push(...notices);
    shownDone(found.length);
  }
  const notices = found
    .filter(({ dueDay }) => !overdue || dueDay < today)
    .sort((a, b) => (a.dueDay < b.dueDay ? -1 : Number(a.dueDay > b.dueDay)))
    .map(({ id, dueDay, firstAt, operation }) => ({
      contact: `contacts/${id}`,
      due: dueDay,
      overdue: dueDay < today,
      obtained: firstAt,
      source: operation === '' ? 'data service' : `data service, ${label(operation)}`,
      ...(hubSpot && { link: hubSpot.record({ objectType: 'contacts', id }) }),
    }));
  const late = notices.filter((each) => each.overdue).length;
  return {
    json: { today, due: notices.length, overdue: late, notices },
    body: [
      `${counted(notices.length, 'notice')} not sent, ${late} of them overdue.`,
      tableOf(
        COLUMNS,
        notices.map((each) => ({ ...each, overdue: each.overdue ? 'yes' : '' })),
      ),
    ],
    notes: [
      'Fill enrichment_notice_sent_at when the person was informed. A workflow can do this.',
      ...(policy.privacy.notice.length === 0
        ? ['The policy has no rules for notices (privacy.notice), so no new one becomes due.']
        : []),
    ],
  };
}
