import { nameLicense } from '../../../domain/licenses/normalize/name-license.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { type PomLine, resolveProperties } from './pom.ts';

/** More than anybody has; to read them all would take as long as a file likes. */
const mostLicenses = 100;
const longestText = 2_000;

/** The `license` elements of a POM, without empty ones; a second list of them makes all of it unclear. */
const listElements = (pom: unknown): unknown[] => {
  const [list, second] = [readAt(pom, 'licenses')].flat();
  if (second !== undefined) return ['unclear'];
  return [readAt(list, 'license')].flat().filter(Boolean);
};

/** The licenses of the nearest POM that has any; undefined for one whose name and address are not said. */
export const listPomLicenses = (line: PomLine): (string | undefined)[] => {
  const resolve = (text: string | undefined) => resolveProperties(line, text, longestText);
  const licenses = line.map(listElements).find((some) => some.length > 0);
  if (licenses && licenses.length > mostLicenses) return [undefined];
  return (licenses ?? []).map((one) => {
    const [name, url] = [readTextAt(one, 'name'), readTextAt(one, 'url')];
    const isLong = [name, url].some((text) => text !== undefined && text.length > longestText);
    return isLong ? undefined : nameLicense(resolve(name), resolve(url)) || undefined;
  });
};

/** One license, or the choice that several are; undefined if one of them is not said. */
export const joinPomLicenses = (licenses: readonly (string | undefined)[]): string | undefined =>
  licenses.every((license) => license !== undefined) ? licenses.join(' OR ') : undefined;
