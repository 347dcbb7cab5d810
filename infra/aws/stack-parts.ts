import { Arn, ArnFormat, CfnResource, PermissionsBoundary, type StackProps } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Settings } from './schemas.ts';

/**
 * Fixes a resource's logical id, so that moving code between constructs replaces nothing. For resources that must not
 * be created again, and for named resources, which cannot exist twice.
 */
export function pinned<T extends IConstruct>(construct: T, logicalId: string): T {
  const resource = CfnResource.isCfnResource(construct) ? construct : construct.node.defaultChild;
  if (!(resource && CfnResource.isCfnResource(resource)))
    throw new Error(`${construct.node.path} is no resource.`);
  resource.overrideLogicalId(logicalId);
  return construct;
}

export function stackWide({
  tags,
  permissionsBoundaryArn,
  kmsKeyArn,
}: Pick<Settings, 'tags' | 'permissionsBoundaryArn' | 'kmsKeyArn'>): StackProps {
  return {
    ...(tags && { tags }),
    ...(permissionsBoundaryArn !== undefined && {
      permissionsBoundary: PermissionsBoundary.fromArn(permissionsBoundaryArn),
    }),
    // With your own key, the template of a table has to name its region.
    ...(kmsKeyArn !== undefined && {
      env: { region: Arn.split(kmsKeyArn, ArnFormat.SLASH_RESOURCE_NAME).region ?? '' },
    }),
  };
}
