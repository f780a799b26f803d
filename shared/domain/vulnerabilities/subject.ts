import { refuseInvalid } from '../errors.ts';
import { isDigestVersion } from '../packages/digest-version.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { PackageId } from '../packages/package-id.ts';
import { canonicalizeName } from '../packages/package-name.ts';
import { canonicalizeVersion } from '../packages/package-version.ts';
import { findPurlType, type PurlPackage, purlTypes, readPurl } from '../packages/purl.ts';
import { cleanLine } from './finding.ts';
import {
  type ImageName,
  isPath,
  isSameRepository,
  readImageName,
  splitRepository,
} from './image-name.ts';

/**
 * Scanned object according to a report. An image has references such as `nginx:1.27` and `nginx@sha256:…`; other
 * packages have a package URL. A report on a directory, file or lockfile has no subject.
 */
export type Subject =
  | { readonly kind: 'image'; readonly names: readonly string[] }
  | { readonly kind: 'purl'; readonly purl: string };

type Name = string | null | undefined;

/** Returns the scanned image, named by all names that are image references. Returns no subject if none is. */
export const listImageSubjects = (given: Name, others: readonly Name[] = []): Subject[] => {
  if (isPath(given ?? '')) return [];
  const references = [given, ...others].flatMap((name) =>
    name && readImageName(name) ? [name] : [],
  );
  return references.length > 0 ? [{ kind: 'image', names: [...new Set(references)] }] : [];
};

/** Printable ASCII. Package URLs escape all other characters, so other texts could be parsed differently elsewhere. */
const plain = /^[!-~]+$/;

/** Returns the subject of a package URL, or none if the text is no package URL. */
export const listPurlSubjects = (purl: Name): Subject[] =>
  purl && plain.test(purl) && findPurlType(purl) ? [{ kind: 'purl', purl }] : [];

/** Package URL types that name a source location rather than an ecosystem. */
const placeTypes = ['generic', 'github', 'gitlab', 'bitbucket', 'swid'];

/**
 * True if the type says nothing about the ecosystem. A package URL of a supported type also qualifies, since its name
 * was invalid.
 */
const saysNothing = (type: string): boolean => [...placeTypes, ...purlTypes].includes(type);

/**
 * True if the version is not one of these images. Tags distinguish images of a repository; a digest does not, since a
 * tag may point to it.
 */
const isAnotherImage = ({ ecosystem, name, version }: PackageId, images: readonly ImageName[]) => {
  if (ecosystem !== 'docker') return true;
  const repository = splitRepository(name);
  const same = images.filter((image) => isSameRepository(image, repository));
  if (same.length === 0) return true;
  const tags = same.flatMap(({ tag }) => tag ?? []);
  return tags.length > 0 && !isDigestVersion(version) && !tags.includes(version);
};

const toImageName = ({ name, version }: PurlPackage): ImageName => ({
  ...splitRepository(name),
  tag: version === undefined || isDigestVersion(version) ? undefined : version,
});

const isAnotherPackage = ({ ecosystem, name, version }: PackageId, found: PurlPackage): boolean => {
  if (found.ecosystem !== ecosystem) return true;
  if (canonicalizeName(ecosystem, found.name) !== canonicalizeName(ecosystem, name)) return true;
  return (
    found.version !== undefined &&
    canonicalizeVersion(ecosystem, found.version) !== canonicalizeVersion(ecosystem, version)
  );
};

const isAnotherPurl = (id: PackageId, purl: string): boolean => {
  const found = readPurl(purl);
  if (found?.ecosystem === 'docker') return isAnotherImage(id, [toImageName(found)]);
  if (found) return isAnotherPackage(id, found);
  return !saysNothing(findPurlType(purl) ?? '');
};

const isAnother = (id: PackageId, subject: Subject): boolean =>
  subject.kind === 'purl'
    ? isAnotherPurl(id, subject.purl)
    : isAnotherImage(
        id,
        subject.names.flatMap((name) => readImageName(name) ?? []),
      );

/**
 * True if every subject of a report is a different ecosystem, package or version. A digest alone is no evidence, and
 * neither is a report without subjects.
 */
export const isPlainlyAnother = (id: PackageId, subjects: readonly Subject[]): boolean =>
  subjects.length > 0 && subjects.every((subject) => isAnother(id, subject));

const maxShown = 3;
const maxShownLength = 200;

const describe = (subject: Subject): string =>
  subject.kind === 'purl' ? subject.purl : `the image ${subject.names[0]}`;

/**
 * Checks that a report may be about the version.
 * @throws {RegistryError} `wrong_subject` if every subject is something else
 */
export const checkSubject = (id: PackageId, subjects: readonly Subject[]): void => {
  if (!isPlainlyAnother(id, subjects)) return;
  const shown = subjects.slice(0, maxShown).map((one) => cleanLine(describe(one), maxShownLength));
  throw refuseInvalid(
    'body',
    `is a report about ${shown.join(', ')}, not about ${formatPackage(id)}; upload it to the scanned version, or send force=true to upload it anyway`,
    'wrong_subject',
  );
};
