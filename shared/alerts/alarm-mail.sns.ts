import { paginateListSubscriptionsByTopic, SNSClient, type SNSClientConfig } from '@aws-sdk/client-sns';

/** Numbers of confirmed and pending subscriptions of the alarm topic. */
export interface AlarmSubscriptions {
  readonly topicArn: string;
  readonly confirmed: number;
  readonly pending: number;
}

/** Counts the subscriptions with the operator's own AWS rights. No function has these rights. */
export async function readAlarmSubscriptions(
  topicArn: string,
  settings: SNSClientConfig,
): Promise<AlarmSubscriptions> {
  const client = new SNSClient(settings);
  const states: string[] = [];
  try {
    const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn });
    for await (const { Subscriptions = [] } of pages)
      states.push(...Subscriptions.map(({ SubscriptionArn = '' }) => SubscriptionArn));
  } finally {
    client.destroy();
  }
  // For an unconfirmed subscription, SNS returns a word instead of an ARN.
  const confirmed = states.filter((state) => state.startsWith('arn:')).length;
  const pending = states.filter((state) => state === 'PendingConfirmation').length;
  return { topicArn, confirmed, pending };
}

/** Explains why an alarm may reach no person, and what to do; `undefined` if all subscriptions are confirmed. */
export function alarmMailProblem({ topicArn, confirmed, pending }: AlarmSubscriptions) {
  const subscribe = `aws sns subscribe --region ${topicArn.split(':')[3]} --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`;
  if (confirmed + pending === 0) {
    return {
      seen: 'no address is subscribed to the alarms, so no alarm reaches you',
      advice: `run: ${subscribe}, then open the mail "${MAIL}" and confirm`,
    };
  }
  if (pending === 0) return undefined;
  const reached = confirmed === 0 ? 'no alarm reaches you' : 'alarms reach the others only';
  return {
    seen: `${pending} of ${confirmed + pending} subscriptions to the alarms ${pending === 1 ? 'is' : 'are'} not confirmed, so ${reached}`,
    advice: `confirm in the mail "${MAIL}"; for a new one, run: ${subscribe}`,
  };
}

const MAIL = 'AWS Notification - Subscription Confirmation';
