import { formatPackage } from './format-package.ts';
import type { PackageTarget } from './package-id.ts';

/** Returns the command that submits a version; without a version, a command with a placeholder for it. */
export const formatSubmitCommand = ({
  ecosystem,
  name,
  version = 'VERSION',
}: PackageTarget): string => `registry submit ${formatPackage({ ecosystem, name, version })}`;
