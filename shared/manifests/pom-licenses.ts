import { readTextAt } from '../domain/json.ts';
import { nameLicense } from '../domain/licenses/reading/name-license.ts';
import { type PomLine, readElements, resolveProperties } from './pom.ts';

/** More than anybody has; to read them all would take as long as a file likes. */
const mostLicenses = 100;

/** The licenses of the nearest POM that has any; undefined for one whose name and address are not said. */
export const listPomLicenses = (line: PomLine): (string | undefined)[] => {
  const resolve = (text: string | undefined) => resolveProperties(line, text);
  const licenses = line
    .map((pom) =>
      readElements(pom, 'licenses', 'license').filter(
        (one) => readTextAt(one, 'name') || readTextAt(one, 'url'),
      ),
    )
    .find((some) => some.length > 0);
  if (licenses && licenses.length > mostLicenses) return [undefined];
  return (licenses ?? []).map((one) =>
    nameLicense(resolve(readTextAt(one, 'name')), resolve(readTextAt(one, 'url'))),
  );
};

/** One license, or the choice that several are; undefined if one of them is not said. */
export const joinPomLicenses = (licenses: readonly (string | undefined)[]): string | undefined =>
  licenses.every((license) => license !== undefined) ? licenses.join(' OR ') : undefined;
