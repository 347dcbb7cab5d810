import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

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
