import { eventually, holds, PATIENCE_S } from './checklist.ts';

/** Every line of every log group in CloudWatch Logs. */
export async function logLines(): Promise<readonly string[]> {
  const { logGroups = [] } = await ask<{ logGroups?: { logGroupName: string }[] }>('DescribeLogGroups', {});
  const events = await Promise.all(
    logGroups.map(({ logGroupName }) =>
      ask<{ events?: { message: string }[] }>('FilterLogEvents', { logGroupName, limit: 10_000 }),
    ),
  );
  return events.flatMap(({ events: found = [] }) => found.map(({ message }) => message));
}

/** Waits for a log line with all these parts. A function's lines arrive when its call has ended. */
export async function untilLogged(...services: readonly string[]): Promise<void> {
  await eventually(
    `A log line with ${services.join(' and ')}`,
    async () => {
      const lines = await logLines();
      const isThere = lines.some((line) => services.every((part) => line.includes(part)));
      return isThere ? { done: true } : { seen: `${lines.length} others` };
    },
    { withinS: PATIENCE_S },
  );
}

/** CloudWatch Logs has no client here, because the test needs only two calls. */
async function ask<T>(action: string, parameters: unknown): Promise<T> {
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${action}`,
    },
    body: JSON.stringify(parameters),
  });
  holds(response.ok, `CloudWatch Logs answered ${response.status} to ${action}.`);
  return JSON.parse(await response.text());
}
