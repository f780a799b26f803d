import { relative, resolve, sep } from 'node:path';
import type { Finding, Place } from '../../../../shared/use-cases/dependency-check/findings.ts';

/** So many places of a package are shown. */
const shownPlaces = 2;
/** So many steps of the way to a package are shown: the first and the last ones. */
const shownSteps = 3;

const describeWay = (through: readonly string[]): string => {
  const [first = '', ...others] = through;
  const steps =
    through.length <= shownSteps ? through : [first, '…', ...others.slice(1 - shownSteps)];
  return steps.join(' > ');
};

const describePlace = ({ file, line, through }: Place): string => {
  const where = line === undefined ? file : `${file}:${line}`;
  if (through === undefined) return where;
  return through.length === 0
    ? `${where}, asked for itself`
    : `${where}, by ${describeWay(through)}`;
};

/** Where something stands, and what pulled it in. */
export const describePlaces = ({ found_in }: Finding): string => {
  const more = found_in.length - shownPlaces;
  const shown = found_in.slice(0, shownPlaces).map(describePlace);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};

/** What pulled it in at one place, as a sentence; nothing if that is not known, or the project itself. */
export const describePulling = ({ through = [] }: Place): string =>
  through.length === 0 ? '' : `Pulled in by ${describeWay(through)}.`;

/** The path from a folder, such as the top of the repository, wherever the command was given; as shown if outside of it. */
export const toPathFrom = (root: string | undefined, file: string): string => {
  if (!root) return file;
  const path = relative(root, resolve(file)).split(sep).join('/');
  return path === '..' || path.startsWith('../') ? file : path;
};

const digest = /^(sha\d+:[0-9a-f]{12})[0-9a-f]+$/;

/** A version as there is room for it: a digest is cut, and stands behind its tag, if it has one. */
export const formatVersion = ({ version, tag }: Finding): string => {
  const short = version?.replace(digest, '$1…') ?? '';
  return tag === undefined ? short : `${tag} (${short})`;
};
