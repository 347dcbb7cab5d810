import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { type Checklist, holds, same } from './checklist.ts';
import { configurationOf } from './lambda.ts';
import type { Scene } from './scene.ts';

/** The keys that each function may read, by the output that names the function. */
const READS: Readonly<Record<string, readonly SecretKey[]>> = {
  ReceiveWebhookFunction: ['hubSpotClientSecret'],
  EnrichRecordsFunction: ['dataServiceApiKey', 'hubSpotAccessToken', 'installationSecret'],
  RefreshStaleFunction: [],
  ReconcileFunction: ['hubSpotAccessToken', 'installationSecret', 'alertWebhookUrl'],
  ReportSpendFunction: [],
};

/** Asks IAM for each function's deployed role and each secret in the account. */
export async function checkKeysApart(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check('each function is let to its own secrets, and refused all others', async () => {
    const arns = await secretArns(await stack.output('SecretPrefix'));
    let refused = 0;
    for (const [output, keys] of Object.entries(READS)) {
      const { Role } = await configurationOf(await stack.output(output));
      const allowed: SecretKey[] = [];
      for (const key of SECRET_KEYS) {
        if ((await decision(Role, arns[key])) === 'allowed') allowed.push(key);
        else refused += 1;
      }
      same(`What ${output} may read`, allowed, keys);
    }
    return `${refused} times refused, by IAM's simulation of the deployed policies`;
  });
}

async function secretArns(prefix: string): Promise<Readonly<Record<SecretKey, string>>> {
  const client = new SSMClient();
  const arnOf = async (key: SecretKey) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: secretName(prefix, key) }));
    return Parameter?.ARN ?? '';
  };
  return {
    dataServiceApiKey: await arnOf('dataServiceApiKey'),
    hubSpotAccessToken: await arnOf('hubSpotAccessToken'),
    hubSpotClientSecret: await arnOf('hubSpotClientSecret'),
    installationSecret: await arnOf('installationSecret'),
    alertWebhookUrl: await arnOf('alertWebhookUrl'),
  };
}

/** Asks IAM without a client, because the test needs only one call. @returns allowed, implicitDeny or explicitDeny */
async function decision(role: string, resource: string): Promise<string> {
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}/`, {
    method: 'POST',
    headers: {
      // The stand-in recognises the service by this header.
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/iam/aws4_request, Signature=none',
    },
    body: new URLSearchParams({
      Action: 'SimulatePrincipalPolicy',
      Version: '2010-05-08',
      PolicySourceArn: role,
      'ActionNames.member.1': 'ssm:GetParameter',
      'ResourceArns.member.1': resource,
    }),
  });
  const text = await response.text();
  const [, found] = /<EvalDecision>(\w+)<\/EvalDecision>/.exec(text) ?? [];
  holds(response.ok && found !== undefined, `IAM answered ${response.status}: ${text.slice(0, 300)}`);
  return found;
}
