import { describe, expect, it } from 'vitest';
import { resourceOf, resourcesOf, synthesised } from './synthesised.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const SECRET = 'AWS::SecretsManager::Secret';
const template = synthesised();
const adopting = synthesised({ adopt: 'ledger,questions,secret' });

const KEY = { AttributeName: 'pk', KeyType: 'HASH' };

describe('tables', () => {
  it('are keyed and indexed as the stores expect', () => {
    expect(resourceOf(template, TABLE, 'Ledger').Properties).toMatchObject({
      TableName: 'crm-enrichment-ledger',
      KeySchema: [KEY, { AttributeName: 'seq', KeyType: 'RANGE' }],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'seq', AttributeType: 'N' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    });
    expect(resourceOf(template, TABLE, 'TablesRecords').Properties).toMatchObject({
      KeySchema: [KEY],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-place',
          KeySchema: [
            { AttributeName: 'indexPartition', KeyType: 'HASH' },
            { AttributeName: 'indexOrder', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    expect(resourceOf(template, TABLE, 'Questions').Properties).toMatchObject({
      KeySchema: [KEY],
      TimeToLiveSpecification: { AttributeName: 'expiresAtS', Enabled: true },
    });
    expect(resourceOf(template, TABLE, 'TablesRateLimiter').Properties).toMatchObject({ KeySchema: [KEY] });
  });

  it('keep ledger and questions for ever, protected, and the ledger restorable for 35 days', () => {
    for (const id of ['Ledger', 'Questions']) {
      const { Properties, ...policies } = resourceOf(template, TABLE, id);
      expect(policies).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
    }
    expect(resourceOf(template, TABLE, 'Ledger').Properties).toMatchObject({
      Replicas: [
        { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 } },
      ],
    });
  });

  it('let records and rate limiter go with the stack', () => {
    for (const id of ['TablesRecords', 'TablesRateLimiter']) {
      expect(resourceOf(template, TABLE, id).DeletionPolicy).toBe('Delete');
    }
  });
});

describe('the secret', () => {
  it('outlives the stack, and has no value in the template', () => {
    const { Properties, DeletionPolicy } = resourceOf(template, SECRET, 'Secret');
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toEqual({
      Name: '/crm-enrichment/secrets',
      GenerateSecretString: {
        ExcludePunctuation: true,
        GenerateStringKey: 'installationSecret',
        PasswordLength: 48,
        SecretStringTemplate: '{"dataServiceApiKey":"","hubSpotAccessToken":"","hubSpotClientSecret":""}',
      },
    });
  });

  it('is not in the stack where it is a parameter of SSM', () => {
    expect(resourcesOf(synthesised({ secretSource: 'ssm' }), SECRET)).toEqual({});
  });
});

describe('a stack after `destroy`', () => {
  it('adopts what was kept, by its name, and creates the rest', () => {
    expect(Object.keys(resourcesOf(adopting, TABLE))).toHaveLength(2);
    expect(resourcesOf(adopting, SECRET)).toEqual({});
    const { Environment } = resourceOf(
      adopting,
      'AWS::Lambda::Function',
      'FunctionsEnrichRecords',
    ).Properties;
    expect(Environment).toMatchObject({
      Variables: {
        LEDGER_TABLE: 'crm-enrichment-ledger',
        QUESTIONS_TABLE: 'crm-enrichment-questions',
        SECRET_ID: '/crm-enrichment/secrets',
      },
    });
  });

  it('is not made where kept questions would meet a new secret', () => {
    expect(() => synthesised({ adopt: 'ledger,questions' })).toThrow(/kept without their secret/);
    expect(() => synthesised({ adopt: 'ledger,questions', secretSource: 'ssm' })).not.toThrow();
    expect(() => synthesised({ adopt: 'ledger' })).not.toThrow();
  });

  it('grants the same on what it adopts', () => {
    const policies = JSON.stringify(Object.values(resourcesOf(adopting, 'AWS::IAM::Policy')));
    expect(policies).toContain(':table/crm-enrichment-ledger"');
    expect(policies).toContain(':table/crm-enrichment-questions"');
    expect(policies).toContain(':secret:/crm-enrichment/secrets-??????"');
  });
});
