import { Arn, ArnFormat, PermissionsBoundary, type StackProps } from 'aws-cdk-lib';
import type { Settings } from './schemas.ts';

/** Properties of a stack that apply to all its resources. */
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
    ...(kmsKeyArn !== undefined && { env: { region: regionOf(kmsKeyArn) } }),
  };
}

function regionOf(arn: string): string {
  return Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).region ?? '';
}
