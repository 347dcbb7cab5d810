import { LogFormatter, LogItem, Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { type LogFields, type Logger, onlyAllowedFields } from './logger.ts';

/** As much of Lambda's context as a log line tells. */
export interface Invocation {
  readonly awsRequestId: string;
  readonly functionName: string;
}

type FormatAttributes = LogFormatter['formatAttributes'];

/** Powertools adds what it knows of function and region; what is on our list is kept, and nothing else. */
class AllowListFormatter extends LogFormatter {
  override formatAttributes(
    attributes: Parameters<FormatAttributes>[0],
    additional: Parameters<FormatAttributes>[1],
  ): LogItem {
    const { timestamp, logLevel, message, serviceName, lambdaContext } = attributes;
    const { awsRequestId, functionName } = lambdaContext ?? {};
    const own = lambdaContext && { awsRequestId, functionName, coldStart: lambdaContext.coldStart };
    const fields = onlyAllowedFields({ service: serviceName, ...own, ...additional });
    const line = { time: timestamp.toISOString(), level: logLevel.toLowerCase(), event: message, ...fields };
    return new LogItem({ attributes: line });
  }
}

/** Our log by Powertools: its levels by environment variable, and each line with the invocation that wrote it. */
export function createPowertoolsLogger(
  serviceName: string,
): Logger & { readonly invoked: (invocation: Invocation) => void } {
  const powertools = new PowertoolsLogger({ serviceName, logFormatter: new AllowListFormatter() });
  const log =
    (level: 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) =>
      powertools[level](event, { ...onlyAllowedFields(fields) });
  return {
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    invoked: ({ awsRequestId, functionName }) =>
      powertools.addContext(contextOf({ awsRequestId, functionName })),
  };
}

/** Powertools asks for all of Lambda's context, and keeps of it what is given here. */
function contextOf(
  invocation: Invocation,
): Parameters<InstanceType<typeof PowertoolsLogger>['addContext']>[0] {
  const unused = () => undefined;
  return {
    ...invocation,
    functionVersion: '',
    invokedFunctionArn: '',
    memoryLimitInMB: '',
    logGroupName: '',
    logStreamName: '',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => 0,
    done: unused,
    fail: unused,
    succeed: unused,
  };
}
