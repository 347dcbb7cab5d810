import { Duration } from 'aws-cdk-lib';

/**
 * Four invocations of five records share 20 requests a minute; faster rates take as long. So waits alone can reach a
 * minute, a closed window adds another, and each call may take as long as its own timeout.
 */
export const WORKER_TIMEOUT = Duration.seconds(300);
