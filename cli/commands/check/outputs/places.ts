import { relative, resolve, sep } from 'node:path';
import type { Finding, Place } from '../../../../shared/use-cases/dependency-check/findings.ts';

const shownPlaces = 2;
/** The shown steps of a dependency path: the first and the last ones. */
const shownSteps = 3;

const describePath = (through: readonly string[]): string => {
  const [first = '', ...others] = through;
  const steps =
    through.length <= shownSteps ? through : [first, '…', ...others.slice(1 - shownSteps)];
  return steps.join(' > ');
};

const describePlace = ({ file, line, through }: Place): string => {
  const where = line === undefined ? file : `${file}:${line}`;
  if (through === undefined) return where;
  return through.length === 0
    ? `${where}, direct`
    : `${where}, transitive via ${describePath(through)}`;
};

/** Describes the places of a package, with its dependency paths. */
export const describePlaces = ({ found_in }: Finding): string => {
  const more = found_in.length - shownPlaces;
  const shown = found_in.slice(0, shownPlaces).map(describePlace);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};

/** Formats the first places of a finding without dependency paths: `Dockerfile:1, compose.yaml:4`; empty without any. */
export const formatWhere = ({ found_in }: Pick<Finding, 'found_in'>): string => {
  const more = found_in.length - shownPlaces;
  const shown = found_in
    .slice(0, shownPlaces)
    .map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/** Returns one sentence with the dependency path; empty for a direct dependency or an unknown path. */
export const describeDependencyPath = ({ through = [] }: Place): string =>
  through.length === 0 ? '' : `Transitive via ${describePath(through)}.`;

/** Returns a path relative to a folder, such as the root of the repository; unchanged if it is outside. */
export const toPathFrom = (root: string | undefined, file: string): string => {
  if (!root) return file;
  const path = relative(root, resolve(file)).split(sep).join('/');
  return path === '..' || path.startsWith('../') ? file : path;
};

const pattern = /^(sha\d+:[0-9a-f]{12})[0-9a-f]+$/;

const shorten = (version: string): string => version.replace(pattern, '$1…');

/** Formats a version for a cell: a digest is shortened, and follows its tag. */
export const formatVersion = ({ version, tag, digest }: Finding): string => {
  if (digest !== undefined) return `${version} (${shorten(digest)})`;
  const short = shorten(version ?? '');
  return tag === undefined ? short : `${tag} (${short})`;
};
