import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { Warning } from './approval.ts';

/** Dependency without which a version cannot be installed. */
export interface Dependency {
  readonly name: string;
  /** Range of versions as the publisher wrote it; empty for any version. */
  readonly range: string;
  /** True if a version is in the range. */
  readonly accepts: (version: string) => boolean;
}

/** Dependencies of a version, compared with the approved versions of the registry. */
export interface CheckedDependencies {
  readonly ecosystem: Ecosystem;
  /** Dependencies without an approved version in their range. */
  readonly unmet: readonly Dependency[];
  /** Number of dependencies with a known result. */
  readonly checked: number;
  readonly total: number;
}

/** Maximum number of dependencies that the message names. */
const mostNamed = 5;
/** Maximum length of a range in the message. */
const longestRange = 60;

const shorten = (range: string): string =>
  range.length > longestRange ? `${range.slice(0, longestRange - 1)}…` : range;

const describe = (ecosystem: Ecosystem, { name, range }: Dependency): string =>
  `${formatPackage({ ecosystem, name })} ${shorten(range)}`.trim();

const describeAll = ({ ecosystem, unmet }: CheckedDependencies): string => {
  const named = unmet.slice(0, mostNamed).map((one) => describe(ecosystem, one));
  const rest = unmet.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
};

/** Returns a warning that names the dependencies without an approved version in their range; none if all have one. */
export const listDependencyIssues = (dependencies: CheckedDependencies): Warning[] => {
  const { unmet, checked, total } = dependencies;
  if (unmet.length === 0) return [];
  const subject =
    unmet.length === 1
      ? '1 dependency has no approved version in its range'
      : `${unmet.length} dependencies have no approved version in their range`;
  const bound = checked < total ? ` ${checked} of ${total} dependencies were checked.` : '';
  const message = `${subject}: ${describeAll(dependencies)}.${bound}`;
  return [{ code: 'dependency_unmet', message }];
};
