import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives a resource its logical id, whatever its place among the constructs: who moves code about then replaces
 * nothing. For resources that must not be created again, and for what has a name of its own, which cannot be there twice.
 */
export function pinned<T extends IConstruct>(construct: T, logicalId: string): T {
  const resource = CfnResource.isCfnResource(construct) ? construct : construct.node.defaultChild;
  if (!(resource && CfnResource.isCfnResource(resource)))
    throw new Error(`${construct.node.path} is no resource.`);
  resource.overrideLogicalId(logicalId);
  return construct;
}
