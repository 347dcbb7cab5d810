import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { suppressionKind } from '#inside/questions/stored-kinds.ts';
import { dataSynthesised, resourceOf, resourcesOf, synthesised } from './synthesised.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const template = dataSynthesised();
const table = (id: string) => resourceOf(template, TABLE, id);

const KEY = { AttributeName: 'pk', KeyType: 'HASH' };
const BY_PLACE = {
  IndexName: 'by-place',
  KeySchema: [
    { AttributeName: 'part', KeyType: 'HASH' },
    { AttributeName: 'ord', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};
const TABLES = ['Ledger', 'Proof', 'State'];

describe('tables', () => {
  it('are keyed and indexed as the stores expect, under fixed names', () => {
    expect(table('Ledger').Properties).toMatchObject({
      TableName: 'crm-enrichment-ledger',
      KeySchema: [KEY],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    expect(table('State').Properties).toMatchObject({
      TableName: 'crm-enrichment-state',
      KeySchema: [KEY],
      GlobalSecondaryIndexes: [BY_PLACE],
      TimeToLiveSpecification: { AttributeName: 'expiresAtS', Enabled: true },
    });
    // Disclosure records end some day. A hash on the list has no time, so that a forgotten person stays on it.
    expect(table('Proof').Properties).toMatchObject({
      TableName: 'crm-enrichment-proof',
      KeySchema: [KEY],
      TimeToLiveSpecification: { AttributeName: 'expiresAtS', Enabled: true },
    });
    expect(suppressionKind.expiry.at).toBeUndefined();
  });

  it.each(TABLES)('%s is kept whatever happens to the stack, and protected', (id) => {
    const { Properties, ...policies } = table(id);
    expect(policies).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
  });

  const RECOVERABLE = ['Ledger', 'Proof'];

  it.each(RECOVERABLE)('%s can be restored to any second of 35 days', (id) => {
    expect(table(id).Properties).toMatchObject({
      Replicas: [
        { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 } },
      ],
    });
  });

  it('have no backup where they hold people: it would outlive a forgetting', () => {
    const others = TABLES.filter((id) => !RECOVERABLE.includes(id)).map((id) => JSON.stringify(table(id)));
    expect(others.join()).not.toContain('PointInTimeRecovery');
  });
});

it('the address has neither stage nor route: these come with the functions', () => {
  expect(resourcesOf(template, 'AWS::ApiGatewayV2::Stage')).toEqual({});
  expect(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).toEqual({});
});

describe('the data stack', () => {
  /** One that changes is made anew by CloudFormation: another address, or a name that is taken. */
  const LOGICAL_IDS = [
    ...['Ledger', 'Proof', 'State'],
    ...['Api', 'AccessLogs', 'ApiIdTold', 'AccessLogTold', 'WebhookUrlTold', 'InstalledAtTold'],
    'InstallationTold',
  ];

  it('has these logical ids, which never change', () => {
    expect(Object.keys(template.toJSON()['Resources'])).toEqual(LOGICAL_IDS);
  });

  it('shares nothing with the other but names: no export, no import, no reference', () => {
    const both = JSON.stringify([template.toJSON(), synthesised().toJSON()]);
    expect(both).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|"Export"/);
  });

  it('tells by parameters under names that the other one looks up', () => {
    const told = Object.values(resourcesOf(template, 'AWS::SSM::Parameter'));
    const names = told.map(({ Properties }) => Properties['Name']);
    // For people and for CloudFormation, which otherwise sees no change.
    expect(names.splice(names.indexOf('/crm-enrichment/installation'), 1)).toHaveLength(1);
    const asked = Object.values(
      synthesised().findParameters('*', { Type: 'AWS::SSM::Parameter::Value<String>' }),
    );
    const own = asked.map(({ Default }) => String(Default)).filter((name) => !name.startsWith('/cdk-'));
    expect(own.sort()).toEqual(names.map(String).sort());
  });

  it('takes the time of installation as a parameter, which CloudFormation keeps', () => {
    template.hasParameter('InstalledAt', { Type: 'String' });
    const { Value } = resourceOf(template, 'AWS::SSM::Parameter', 'InstalledAtTold').Properties;
    expect(Value).toEqual({ Ref: 'InstalledAt' });
  });

  it('tells the settings that a later deployment must not forget, also while there are no functions', () => {
    const [output] = Object.values(
      dataSynthesised({ alarmEmail: 'a@crm.example' }).findOutputs('LastingSettings'),
    );
    expect(JSON.parse(String(output?.['Value']))).toEqual({
      dataServiceBaseUrl: 'https://api.data-service.example',
      webhookAllowV1: false,
      alarmEmail: 'a@crm.example',
    });
  });

  it.each([{ alarmEmail: 'a@crm.example' }, { ledgerTable: 'crm-ledger-restored' }])(
    'changes a resource with each lasting setting, so that no deployment takes it for unchanged: %j',
    (setting) => {
      const resources = (one: Template) => one.toJSON()['Resources'];
      expect(resources(dataSynthesised(setting))).not.toEqual(resources(template));
    },
  );

  it('is that of another installation by its name alone', () => {
    const mine = JSON.stringify(template.toJSON());
    const other = JSON.stringify(dataSynthesised({ stackName: 'crm-2' }).toJSON());
    expect(other).toBe(mine.replaceAll('crm-enrichment', 'crm-2'));
  });
});
