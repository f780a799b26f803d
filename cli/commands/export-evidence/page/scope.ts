import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import type { AcceptanceScope } from '../../../../shared/domain/vulnerabilities/acceptance.ts';

/** Describes where an acceptance applies: `in this version`, `in all versions of npm:lodash`, `in npm` or `everywhere`. */
export const describeScopeOf = ({ ecosystem, name, version }: AcceptanceScope): string => {
  if (ecosystem === null) return 'everywhere';
  if (name === null) return `in all ${ecosystem} packages`;
  return version === null
    ? `in all versions of ${formatPackage({ ecosystem, name })}`
    : 'in this version';
};
