import { ArnFormat, CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ConfigurationError } from './configuration.ts';
import { KEPT_LOGICAL_IDS, keptName } from './names.ts';
import type { Settings } from './schemas.ts';

/**
 * The installation's one JSON secret: its name for the functions, its ARN for their permissions. No value of it
 * ever stands in the template. In Secrets Manager the stack of a first installation makes it with an
 * `installationSecret` that AWS draws, and the rest empty; CloudFormation cannot make an SSM SecureString, so
 * `deploy` does that.
 * @throws ConfigurationError where kept questions would meet a secret with which none of them is found
 */
export class InstallationSecret extends Construct {
  readonly secretId: string;
  readonly arn: string;

  constructor(scope: Construct, settings: Pick<Settings, 'stackName' | 'secretSource' | 'adopt'>) {
    super(scope, 'InstallationSecret');
    this.secretId = keptName(settings.stackName, 'secret');
    if (settings.secretSource === 'ssm') {
      const resourceName = this.secretId.slice(1);
      this.arn = Stack.of(this).formatArn({ service: 'ssm', resource: 'parameter', resourceName });
    } else if (settings.adopt.includes('secret')) {
      // Secrets Manager adds a hyphen and six characters to the name.
      this.arn = Stack.of(this).formatArn({
        service: 'secretsmanager',
        resource: 'secret',
        resourceName: `${this.secretId}-??????`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    } else if (settings.adopt.includes('questions')) {
      throw new ConfigurationError(
        `The questions of ${settings.stackName} are kept without their secret: "npm run deploy" brings it along or says where to put it.`,
      );
    } else {
      this.arn = newSecret(this, this.secretId);
    }
  }
}

/** It outlives the stack: the questions are stored under keys made with it, and could not be found without. */
function newSecret(scope: Construct, secretName: string): string {
  const secret = new Secret(scope, KEPT_LOGICAL_IDS.secret, {
    secretName,
    removalPolicy: RemovalPolicy.RETAIN,
    generateSecretString: {
      secretStringTemplate: JSON.stringify({
        dataServiceApiKey: '',
        hubSpotAccessToken: '',
        hubSpotClientSecret: '',
      }),
      generateStringKey: 'installationSecret',
      passwordLength: 48,
      excludePunctuation: true,
    },
  });
  const resource = secret.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) resource.overrideLogicalId(KEPT_LOGICAL_IDS.secret);
  return secret.secretArn;
}
