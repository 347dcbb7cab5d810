import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import { type Check, checkOf } from './check.ts';
import { runCheck } from './run-check.ts';

const NAME = 'alarm mail';

/** Checks that alarms reach a person. An unconfirmed address gets no mail, and no alarm can report this. */
export function alarmMailCheck(read: () => Promise<AlarmSubscriptions>): Promise<Check> {
  return runCheck(NAME, 'alarm-mail-not-checked', async () => {
    const found = await read();
    const { confirmed, pending } = found;
    if (confirmed + pending === 0) return checkOf(NAME, 'no-alarm-mail', found);
    if (pending === 0) return checkOf(NAME, 'alarm-mail-confirmed', { confirmed });
    return checkOf(NAME, confirmed === 0 ? 'alarm-mail-reaches-nobody' : 'alarm-mail-unconfirmed', found);
  });
}
