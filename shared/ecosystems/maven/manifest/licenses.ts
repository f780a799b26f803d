import { nameLicense } from '../../../domain/licenses/normalize/name-license.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { type PomLine, resolveProperties } from './pom.ts';

/** Limits of licenses, above real use. Without limits, a hostile file could take unlimited time. */
const mostLicenses = 100;
const longestText = 2_000;

/** Returns the non-empty `license` elements of a POM; one placeholder if a second list makes them ambiguous. */
const listElements = (pom: unknown): unknown[] => {
  const [list, second] = [readAt(pom, 'licenses')].flat();
  if (second !== undefined) return ['unclear'];
  return [readAt(list, 'license')].flat().filter(Boolean);
};

/** Returns the licenses of the nearest POM with licenses. An unreadable license is undefined. */
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

/** Joins the licenses by `OR`, because they are a choice; undefined if one is unreadable. */
export const joinPomLicenses = (licenses: readonly (string | undefined)[]): string | undefined =>
  licenses.every((license) => license !== undefined) ? licenses.join(' OR ') : undefined;
