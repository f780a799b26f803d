import { pages } from '../../shared/api/non-api-routes.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { canonicalizeName } from '../../shared/domain/packages/package-name.ts';
import { canonicalizeVersion } from '../../shared/domain/packages/package-version.ts';
import type { FileEcosystem } from '../../shared/ecosystems/ecosystem.ts';
import { dropScope } from '../../shared/ecosystems/npm/gate/request.ts';

/** Returns a pattern for a character, as itself or percent-encoded. */
const matchCharacter = (character: string): string => {
  if (/[\w~-]/.test(character)) return character;
  if (character === '.') return '\\.';
  const code = character.charCodeAt(0).toString(16);
  const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:\\${character}|%${digits})`;
};

/** Returns a pattern for a part of a path, as clients send it: some characters may be percent-encoded. */
const matchText = (text: string): string => [...text].map(matchCharacter).join('');

/** Matches a slash, which may be percent-encoded. */
const slash = matchText('/');

/** Matches one part of a path. */
const part = '[^\\/]+';

/** Returns a pattern for the start of a gate's paths, such as `/npm/`. A custom domain may add a prefix. */
const matchGate = (page: keyof typeof pages): string =>
  matchText(pages[page].path.replace(/\{\w+\+\}$/, ''));

/** Returns a pattern for a part of a path in either case. */
const matchAnyCase = (text: string): string =>
  [...text]
    .map((one) =>
      /[a-z]/i.test(one) ? `[${one.toLowerCase()}${one.toUpperCase()}]` : matchCharacter(one),
    )
    .join('');

type Version = Pick<PackageId, 'name' | 'version'>;

const matchNpm = ({ name, version }: Version): string => {
  const file = matchText(`${dropScope(name)}-${version}.tgz`);
  const tarball = `${slash}-${slash}(?:${matchText('@')}${part}${slash})?${file}`;
  // Some releases of npm send the path of the gate twice, and the path then has no scope before the name.
  return `${matchGate('serveNpm')}(?:[^@%]*\\/)?${matchText(name)}(?:${tarball})?`;
};

const matchPypi = ({ name, version }: Version): string => {
  const project = canonicalizeName('pypi', name).split('-').map(matchAnyCase).join('[-_.]+');
  const spellings = [...new Set([version, canonicalizeVersion('pypi', version)])];
  const file = `files${slash}${project}${slash}(?:${spellings.map(matchText).join('|')})${slash}${part}`;
  return `${matchGate('servePypi')}(?:simple${slash}${project}|${file})`;
};

const matchMaven = ({ name, version }: Version): string => {
  const [group = '', artifact = ''] = name.split(':');
  const folder = [...group.split('.'), artifact].map(matchText).join(slash);
  const file = `${matchText(version)}${slash}${part}`;
  return `${matchGate('serveMaven')}(?:-${slash}plugins${slash})?${folder}${slash}(?:${file}|maven-metadata\\.xml(?:\\.\\w+)?)`;
};

const matchers: Readonly<Record<FileEcosystem, (version: Version) => string>> = {
  npm: matchNpm,
  pypi: matchPypi,
  maven: matchMaven,
};

/**
 * Returns a regular expression for the paths of a version at the gate: its files, and the list of versions that clients read
 * before.
 */
export const matchFetchedPaths = (ecosystem: FileEcosystem, version: Version): string =>
  `${matchers[ecosystem](version)}\\/?$`;
