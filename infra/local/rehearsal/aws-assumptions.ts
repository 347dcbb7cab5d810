import type { Assumption } from './assumption.ts';

const STAND_IN = 'MiniStack, the stand-in for AWS, cannot show it';

/**
 * About AWS. The id is what the title of its test names after `not played`; until `rehearse aws` exists, a person looks.
 */
export const AWS_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: '--take-over-tables',
    what: 'CloudFormation imports the global tables of a stack that is gone.',
    source: 'documented; on the stand-in it imports no global table',
    reliedOnBy: 'infra/aws/deploy',
    toChange: STAND_IN,
    test: 'test/aws/half-way.ts',
    step: {
      none: 'destroy the stack `NAME-data` of a test installation with `aws cloudformation delete-stack`, then deploy with the flag. The check of the ledger reports the same books',
    },
  },
  {
    id: 'an earlier time',
    what: 'A table can be restored as of an earlier time.',
    source: 'documented; on the stand-in it keeps no history of tables',
    reliedOnBy: 'infra/aws/deploy/restore.ts',
    toChange: STAND_IN,
    test: 'test/aws/restore.ts',
    step: { none: '`npm run restore` as of an hour ago. The new table lacks what was booked since' },
  },
  {
    id: 'RetainExceptOnCreate',
    what: 'RetainExceptOnCreate removes log groups and versions of a failed first deployment.',
    source: 'documented; on the stand-in no test fails a creation after a log group or a version',
    reliedOnBy: 'infra/aws/live-aliases.ts',
    toChange: STAND_IN,
    test: 'test/infra/live-aliases.test.ts',
    step: {
      none: 'let a first deployment fail, for example by a role that may not create alarms. No log group and no version of a function is left',
    },
  },
  {
    id: 'a permissions boundary',
    what: 'The system works below a permissions boundary of the account.',
    source: 'documented; on the stand-in it enforces no policy',
    reliedOnBy: 'infra/aws/permissions.ts',
    toChange: STAND_IN,
    test: 'test/infra/account-rules.test.ts',
    step: { none: 'deploy with the boundary of your account. `doctor` reports no failure' },
  },
  {
    id: 'a key of your own',
    what: 'The functions can use tables that are encrypted with a key of the account.',
    source: 'documented; on the stand-in it encrypts nothing',
    reliedOnBy: 'infra/aws/tables.ts',
    toChange: STAND_IN,
    test: 'test/infra/account-rules.test.ts',
    step: {
      none: 'deploy with `kmsKeyArn`. `doctor` reports no failure, and CloudTrail shows `Decrypt` by the functions',
    },
  },
  {
    id: 'refusals by IAM',
    what: 'The documented roles allow every call of a deployment.',
    source: 'documented; on the stand-in it enforces no policy',
    reliedOnBy: 'docs/operations/ci-policy.json',
    toChange: STAND_IN,
    test: 'test/aws/permissions.ts',
    step: { none: 'deploy with a role that has `ci-policy.json` only, and with `deployer-policy.json` only' },
  },
  {
    id: 'request limits',
    what: 'API Gateway limits each route for itself.',
    source: 'documented; on the stand-in it answers no request with 429',
    reliedOnBy: 'infra/aws/api.ts',
    toChange: STAND_IN,
    test: 'test/infra/stage.test.ts',
    step: {
      none: 'send 200 unsigned requests at once to `/hubspot/records/contacts/1`. Some get 429, and a signed webhook at the same time gets 200',
    },
  },
  {
    id: 'limits of missing routes',
    what: 'API Gateway refuses the limit of a route that does not exist.',
    source: 'documented; on the stand-in it takes the limit of a route that does not exist',
    reliedOnBy: 'infra/aws/stage.ts',
    toChange: STAND_IN,
    test: 'test/infra/stage.test.ts',
    step: { none: '`npm run destroy`, then `npm run deploy`: both succeed' },
  },
  {
    id: 'retries of scheduled calls',
    what: "A scheduled call gets the retries of the function's alias.",
    source: 'documented; on the stand-in no test lets a scheduled call fail',
    reliedOnBy: 'infra/aws/schedules.ts',
    toChange: STAND_IN,
    test: 'test/infra/live-aliases.test.ts',
    step: {
      none: '`aws lambda get-function-event-invoke-config --function-name ... --qualifier live` shows 0 retries',
    },
  },
  {
    id: 'the call of the dashboard',
    what: 'The dashboard of CloudWatch can call the spend page.',
    source: 'documented; on the stand-in it has no console',
    reliedOnBy: 'infra/aws/dashboard.ts',
    toChange: STAND_IN,
    test: 'test/infra/live-aliases.test.ts',
    step: { none: 'open the dashboard. The widget "Credit spend" shows the page' },
  },
  {
    id: 'traces',
    what: 'X-Ray shows a trace of each function.',
    source: 'documented; on the stand-in it records none',
    reliedOnBy: 'infra/aws/functions.ts',
    toChange: STAND_IN,
    test: 'test/infra/live-aliases.test.ts',
    step: { none: 'deploy with `tracing`. X-Ray shows a trace of each function' },
  },
  {
    id: 'checked signatures',
    what: 'The calls that point an alias to a former version are signed as AWS checks them.',
    source: 'documented; on the stand-in it checks no signature of a call',
    reliedOnBy: 'infra/aws/deploy/back.ts',
    toChange: STAND_IN,
    test: 'test/aws/switch-back.ts',
    step: { none: '`npm run back`, and forward again with `--to`' },
  },
];
