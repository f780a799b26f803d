import { refuseInvalid } from '../errors.ts';
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
 * What a report says that it looked at: one image, by references such as `nginx:1.27` and `nginx@sha256:…`, or what a
 * package URL names. A directory, a file or a lockfile says nothing.
 */
export type Subject =
  | { readonly kind: 'image'; readonly names: readonly string[] }
  | { readonly kind: 'purl'; readonly purl: string };

type Name = string | null | undefined;

/** The image that a scanner was given by a name, by those of its names that are references; none where none is. */
export const listImageSubjects = (given: Name, others: readonly Name[] = []): Subject[] => {
  if (isPath(given ?? '')) return [];
  const references = [given, ...others].flatMap((name) =>
    name && readImageName(name) ? [name] : [],
  );
  return references.length > 0 ? [{ kind: 'image', names: [...new Set(references)] }] : [];
};

/** A package URL escapes whatever else is in a name: nobody shall read it in another way. */
const plain = /^[!-~]+$/;

/** What a package URL names; none if it is no package URL. */
export const listPurlSubjects = (purl: Name): Subject[] =>
  purl && plain.test(purl) && findPurlType(purl) ? [{ kind: 'purl', purl }] : [];

/** Types of package URLs that tell where something comes from, and not of which ecosystem it is. */
const placeTypes = ['generic', 'github', 'gitlab', 'bitbucket', 'swid'];

/** One of a type that the registry knows was no name of a package then, which tells nothing. */
const tellsNothing = (type: string): boolean => [...placeTypes, ...purlTypes].includes(type);

const isDigest = (version: string): boolean => version.startsWith('sha256:');

/** A tag may be moved to what a digest names, so that only tags tell images of one repository apart. */
const isAnotherImage = ({ ecosystem, name, version }: PackageId, images: readonly ImageName[]) => {
  if (ecosystem !== 'docker') return true;
  const repository = splitRepository(name);
  const same = images.filter((image) => isSameRepository(image, repository));
  if (same.length === 0) return true;
  const tags = same.flatMap(({ tag }) => tag ?? []);
  return tags.length > 0 && !isDigest(version) && !tags.includes(version);
};

const toImageName = ({ name, version }: PurlPackage): ImageName => ({
  ...splitRepository(name),
  tag: version === undefined || isDigest(version) ? undefined : version,
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
  return !tellsNothing(findPurlType(purl) ?? '');
};

const isAnother = (id: PackageId, subject: Subject): boolean =>
  subject.kind === 'purl'
    ? isAnotherPurl(id, subject.purl)
    : isAnotherImage(
        id,
        subject.names.flatMap((name) => readImageName(name) ?? []),
      );

/**
 * Whether a report that names these subjects is plainly about something else than the version: of another ecosystem,
 * name or version, none of them the same. A digest alone does not tell, nor does a report without subjects.
 */
export const isPlainlyAnother = (id: PackageId, subjects: readonly Subject[]): boolean =>
  subjects.length > 0 && subjects.every((subject) => isAnother(id, subject));

const maxShown = 3;
const maxShownLength = 200;

const describe = (subject: Subject): string =>
  subject.kind === 'purl' ? subject.purl : `the image ${subject.names[0]}`;

/** Refuses a report that is plainly about something else than the version, with `wrong_subject`. */
export const checkSubject = (id: PackageId, subjects: readonly Subject[]): void => {
  if (!isPlainlyAnother(id, subjects)) return;
  const { ecosystem, name, version } = id;
  const shown = subjects.slice(0, maxShown).map((one) => cleanLine(describe(one), maxShownLength));
  throw refuseInvalid(
    'body',
    `is a report about ${shown.join(', ')}, and not about ${name} ${version} (${ecosystem}); upload it to what it is about, or keep it all the same with force=true`,
    'wrong_subject',
  );
};
