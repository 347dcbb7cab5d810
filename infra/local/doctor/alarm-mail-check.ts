import { type AlarmSubscriptions, alarmMailProblem } from '#shared/alerts/adapters';
import { failureOf } from '../failure.ts';
import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'alarm mail';

/** Checks that alarms reach a person. An unconfirmed address gets no mail, and no alarm can report this. */
export async function alarmMailCheck(read: () => Promise<AlarmSubscriptions>): Promise<Check> {
  try {
    const found = await read();
    const problem = alarmMailProblem(found);
    if (!problem) return ok(NAME, `confirmed subscriptions: ${found.confirmed}`);
    // A stack without an address is a choice; an unconfirmed address is a fault.
    const verdict = found.confirmed === 0 && found.pending > 0 ? fail : warn;
    return verdict(NAME, problem.seen, problem.advice);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const advice = 'give your AWS role the permission sns:ListSubscriptionsByTopic';
    return warn(NAME, `not checked: ${failure.message.replace(/\.$/, '')}`, advice);
  }
}
