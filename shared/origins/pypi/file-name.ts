import { canonicalizeName } from '../../domain/package-name.ts';
import { canonicalizePep440 } from '../../domain/pep440.ts';

const wheel = /\.whl$/i;
const sourceArchive = /\.(?:tar\.(?:gz|bz2|xz|Z)|tgz|tbz|zip)$/i;

export const isWheel = (filename: string): boolean => wheel.test(filename);

/** What is behind the name in a file name; where the name itself has hyphens, there are several places to look. */
const listRests = (stem: string, canonicalName: string): string[] => {
  const parts = stem.split('-');
  return parts.flatMap((_, at) =>
    at > 0 && canonicalizeName('pypi', parts.slice(0, at).join('-')) === canonicalName
      ? [parts.slice(at).join('-')]
      : [],
  );
};

/**
 * The version of a wheel or source archive as its file name has it; undefined for any other kind of file,
 * and for a file of another project. In wheels an underscore stands for a hyphen.
 */
export const readFileVersion = (filename: string, canonicalName: string): string | undefined => {
  const ending = isWheel(filename) ? wheel : sourceArchive;
  if (!ending.test(filename) || filename.length > 500) return undefined;
  const rests = listRests(filename.replace(ending, ''), canonicalName);
  const versions = isWheel(filename)
    ? rests.map((rest) => rest.split('-', 1)[0]?.replaceAll('_', '-'))
    : rests;
  return versions.find((version) => canonicalizePep440(version ?? '') !== undefined);
};

/** Whether a wheel can be installed wherever there is Python, so that nobody has to build it. */
export const isForEverywhere = (filename: string): boolean => /-none-any\.whl$/i.test(filename);
