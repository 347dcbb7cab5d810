import { Arn, ArnFormat, PermissionsBoundary, type StackProps } from 'aws-cdk-lib';
import type { Settings } from './schemas.ts';

/** What holds for everything in a stack. */
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
    // The template of a table with a key of your own names its region.
    ...(kmsKeyArn !== undefined && { env: { region: regionOf(kmsKeyArn) } }),
  };
}

function regionOf(arn: string): string {
  return Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).region ?? '';
}
