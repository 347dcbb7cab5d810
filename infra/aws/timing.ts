import { Duration } from 'aws-cdk-lib';

/**
 * Four invocations of five records share 20 requests a minute (faster rates: as long), so that waits alone can reach
 * a minute, a shut window adds another, and each call may take as long as its own timeout.
 */
export const WORKER_TIMEOUT = Duration.seconds(300);
