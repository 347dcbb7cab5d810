import { LogFormatter, LogItem, Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { type LogFields, type Logger, onlyAllowedFields } from './logger.ts';

/** The part of Lambda's context that a log line contains. */
export interface Invocation {
  readonly awsRequestId: string;
  readonly functionName: string;
}

type FormatAttributes = LogFormatter['formatAttributes'];

/** Keeps only the fields in our list of allowed fields, because Powertools adds facts about function and region. */
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

/** Creates a logger with Powertools. An environment variable sets its level, and each line names its invocation. */
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

/** Builds a Lambda context with only the facts that log lines contain. Powertools requires a complete context. */
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
