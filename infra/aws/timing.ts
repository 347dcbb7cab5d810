import { Duration } from 'aws-cdk-lib';

/**
 * At the slowest rate, four invocations of five records share 20 requests a minute. Faster rates have larger batches
 * and take as long. So the wait for slots can reach a minute. A closed rate-limit window adds another minute, and
 * each call can take as long as its own timeout.
 */
export const WORKER_TIMEOUT = Duration.seconds(300);
