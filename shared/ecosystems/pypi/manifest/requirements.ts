import type { NamedRange } from '../../../domain/facts/release-details.ts';
import { canonicalizeName, isPackageName } from '../../../domain/packages/package-name.ts';
import type { Dependency } from '../../../domain/review/dependency-issues.ts';
import type { JsonObject } from '../../../util/json.ts';
import { readSpecifiers } from '../specifiers.ts';
import { needsExtra } from './markers.ts';

/** Limits of the requirements of a version. Real packages have far fewer and shorter ones. */
export const mostRequirements = 200;
const longestRequirement = 200;
const longestText = 10 * longestRequirement;

/** Matches the name and the specifiers of a requirement without a marker. It matches no URL. */
const requirement =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:\(([^()@]*)\)|([<>=!~][^()@]*))?$/;

/** Matches the name of a requirement, and an address of another source, such as `@ https://files.example/a.whl`. */
const named = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(@\s*\S+)?/;

/**
 * Returns a requirement as `name specifiers`; none if only an extra needs it. The name alone if the specifiers are unreadable
 * or too long: a malicious version could hide a dependency by them.
 */
const shorten = (text: string): string[] => {
  const [bare = '', ...marker] = text.slice(0, longestText).split(';');
  if (text.length <= longestText && needsExtra(marker.join(';'))) return [];
  const [, name, inBrackets, plain = ''] = requirement.exec(bare.trim()) ?? [];
  const short = `${name} ${(inBrackets ?? plain).trim()}`.trim();
  if (name && short.length <= longestRequirement) return [short];
  const [, other, address = ''] = named.exec(bare.trim()) ?? [];
  return other ? [`${other} ${address}`.trim().slice(0, longestRequirement)] : [];
};

/**
 * Returns the mandatory requirements of a version from its metadata, as `name specifiers`. Requirements for a platform or
 * a Python version are mandatory.
 */
export const readRequirements = (info: JsonObject): readonly string[] => {
  const listed = info['requires_dist'];
  const texts = (Array.isArray(listed) ? listed : []).filter((one) => typeof one === 'string');
  return [...new Set(texts.flatMap(shorten))].slice(0, mostRequirements);
};

const alternative = ' or ';

/** Returns a dependency with one of several ranges, joined by ` or `; none if a range is unreadable. */
export const readPypiDependency = ({ name, range }: NamedRange): Dependency[] => {
  const tests = range.split(alternative).map(readSpecifiers);
  if (!isPackageName('pypi', name) || tests.includes(undefined)) return [];
  return [{ name, range, accepts: (version) => tests.some((test) => test?.(version)) }];
};

/** Returns the ranges of stored requirements by canonical name. One name may have several, for different platforms. */
export const groupRequirements = (
  requirements: readonly string[],
): ReadonlyMap<string, readonly string[]> => {
  const ranges = new Map<string, string[]>();
  for (const text of requirements) {
    const [spelling = '', ...specifiers] = text.split(' ');
    const name = canonicalizeName('pypi', spelling);
    ranges.set(name, [...(ranges.get(name) ?? []), specifiers.join(' ')]);
  }
  return ranges;
};

/**
 * Returns the dependencies of stored requirements. Several requirements of one name are for different platforms or Python
 * versions, so that one of their ranges is enough.
 */
export const listPypiDependencies = (requirements: readonly string[]): Dependency[] =>
  [...groupRequirements(requirements)].flatMap(([name, ranges]) =>
    readPypiDependency({ name, range: ranges.join(alternative) }),
  );
