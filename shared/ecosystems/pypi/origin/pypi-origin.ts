import type { Facts } from '../../../domain/facts/facts.ts';
import type { Manifest, PypiFile } from '../../../domain/facts/manifest.ts';
import type { ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { joinListed } from '../../../domain/licenses/normalize/join-statements.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import type { UpstreamRelease } from '../../../domain/packages/upstream-release.ts';
import { digest } from '../../../util/digest.ts';
import { type JsonObject, readTextAt } from '../../../util/json.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import type { AskPackageList } from '../../origin/package-list.ts';
import { findPublishedBefore } from '../../origin/published-before.ts';
import { findEarliest, type ListReleases, toReleases } from '../../origin/releases.ts';
import {
  type AskFor,
  areReadable,
  cleanVersion,
  listUnreadable,
  refuseMissingName,
  refuseMissingVersion,
  type Statements,
  toFoundFacts,
} from '../../origin/upstream-answer.ts';
import { isGlobalScope } from '../file-name.ts';
import {
  findProjectUrl,
  homepageLabels,
  listLicenseClassifiers,
  namesLicenseClass,
  readShortLine,
  repositoryLabels,
} from '../manifest/pyproject-metadata.ts';
import { readRequirements } from '../manifest/requirements.ts';
import { comparePep440, isPrerelease } from '../pep440.ts';
import { askMetadata } from './core-metadata.ts';
import { askJsonApi, type JsonRelease } from './json-api.ts';
import { askChangedProject, askSimple, type Project, type ProjectFile } from './simple.ts';

const isYanked = ({ file: { yanked } }: ProjectFile): boolean =>
  yanked !== undefined && yanked !== false;

/** Returns why a version is yanked, which means all its files; empty without a reason, undefined if not yanked. */
const readYanking = (files: readonly ProjectFile[]): string | undefined => {
  if (files.length === 0 || !files.every(isYanked)) return undefined;
  return files.map(({ file }) => file.yanked).find((why) => typeof why === 'string') ?? '';
};

/** Returns the newest stable version with a file that is not yanked, or else the newest prerelease. */
const findNewest = (files: readonly ProjectFile[]): string | undefined => {
  const versions = files.filter((file) => !isYanked(file)).map(({ version }) => version);
  const stable = versions.filter((version) => !isPrerelease(version));
  const [first, ...others] = new Set(stable.length > 0 ? stable : versions);
  return others.reduce(
    (newest, version) => (comparePep440(newest ?? '', version) < 0 ? version : newest),
    first,
  );
};

const listTimes = (files: readonly ProjectFile[]): string[] =>
  files.flatMap(({ file }) => file['upload-time'] ?? []);

/** Returns the versions of a project: withdrawn if all files are yanked, or if the project is deprecated or in quarantine. */
const readReleases = ({ files, deprecated, quarantined }: Project): readonly UpstreamRelease[] => {
  const isWithdrawn = deprecated !== undefined || quarantined !== undefined;
  return toReleases(
    'pypi',
    files.map((one) => ({
      version: one.version,
      publishedAt: one.file['upload-time'],
      isWithdrawn: isWithdrawn || isYanked(one),
    })),
  );
};

/** True if any file has provenance; undefined if upstream reports nothing about provenance. */
const findProvenance = (files: readonly ProjectFile[]): boolean | undefined => {
  const known = files.flatMap(({ provenance }) => provenance ?? []);
  return known.length > 0 ? known.includes(true) : undefined;
};

type DeclaredLicense = Pick<Statements, 'licenses' | 'license' | 'declaresLicense'>;

/** True for `UNKNOWN`, which old releases of setuptools write if a project names no license. */
const isUnnamed = (text: string): boolean => /^unknown$/i.test(text);

/**
 * Returns the license from the old fields: a short text and classifiers. A long text is the license itself, which the
 * classifiers name.
 */
const readOldLicense = (info: JsonObject): DeclaredLicense => {
  const classifiers = listLicenseClassifiers(info);
  const text = readTextAt(info, 'license') ?? '';
  const texts = text === '' || isUnnamed(text) ? [] : [text];
  const [name] = texts.length > 0 ? [readShortLine(info, 'license')] : [];
  return {
    licenses: [...texts, ...classifiers],
    license: areReadable(classifiers) ? joinListed(name, classifiers) : undefined,
    declaresLicense: texts.length > 0 || namesLicenseClass(info),
  };
};

/** Returns the license from the expression (PEP 639), or else from the old fields: a short text and classifiers. */
const readLicense = (info: JsonObject): DeclaredLicense => {
  // Without metadata, the license is unknown.
  if (Object.keys(info).length === 0) return {};
  const expression = readTextAt(info, 'license_expression');
  if (!expression) return readOldLicense(info);
  return { licenses: [expression], license: expression, declaresLicense: true };
};

const readInfo = (info: JsonObject): Statements => {
  const urls = info['project_urls'];
  return {
    ...readLicense(info),
    description: info['summary'],
    homepage: findProjectUrl(urls, homepageLabels) ?? info['home_page'],
    repository: findProjectUrl(urls, repositoryLabels),
  };
};

/** Data of a version from both APIs. Files of the Simple API take precedence. */
interface Release {
  readonly info: JsonObject | undefined;
  readonly files: readonly ProjectFile[];
}

const pickFiles = (files: readonly ProjectFile[], version: string): readonly ProjectFile[] => {
  const wanted = canonicalizeVersion('pypi', version);
  return files.filter((file) => canonicalizeVersion('pypi', file.version) === wanted);
};

/** Returns the digest of what a project shows of a version with these files; undefined for a version without files. */
const digestRelease = (
  files: readonly ProjectFile[],
  { deprecated, quarantined }: Project,
): string | undefined =>
  files.length > 0 ? digest([files, deprecated ?? null, quarantined ?? null]) : undefined;

const joinApis = (
  json: JsonRelease | undefined,
  simple: readonly ProjectFile[],
  { version }: PackageId,
): Release | undefined => {
  const files = pickFiles(simple, version);
  if (!json && files.length === 0) return undefined;
  return { info: json?.info, files: files.length > 0 ? files : (json?.files ?? []) };
};

const complete = async (origin: Origin, { info, files }: Release) =>
  info ? { info, files } : askMetadata(origin, files);

/** Returns the manifest of a version; null without files. */
const toManifest = (files: readonly PypiFile[], info: JsonObject): Manifest | null => {
  if (files.length === 0) return null;
  const requirements = readRequirements(info);
  return { kind: 'pypi', files, ...(requirements.length > 0 && { requirements }) };
};

/** Returns the details of a version's publication. PyPI shows neither publishers nor maintainers of a version. */
const readDetails = (
  info: JsonObject,
  all: readonly ProjectFile[],
  { publishedAt, facts }: { readonly publishedAt: string | null; readonly facts: Facts },
): ReleaseDetails => {
  const times = all.map(({ version, file }) => [version, file['upload-time']] as const);
  const previous = findPublishedBefore('pypi', times, publishedAt);
  return {
    described: Object.keys(info).length > 0,
    ...listUnreadable(readInfo(info), facts),
    ...(previous !== undefined && { previous }),
  };
};

const noProject: Project = { files: [], deprecated: undefined, quarantined: undefined };

/** Returns why nobody can install a version of a project; undefined if the version is there. */
const explainMissing = (
  { host }: Origin,
  { name, version }: PackageId,
  {
    quarantined,
    hasRelease,
  }: { readonly quarantined: string | undefined; readonly hasRelease: boolean },
): string | undefined => {
  if (quarantined !== undefined) {
    return `${host} has put ${name} into quarantine${quarantined === '' ? '' : `: ${quarantined}`}`;
  }
  return hasRelease ? undefined : `${host} has ${name}, but not ${version}`;
};

/** Fetches the facts of a version from PyPI, or from a mirror with the Simple API only, in JSON or HTML. */
export const fetchPypiFacts: AskFor = async (origin, id) => {
  const [api, simple] = await Promise.all([
    // Some mirrors lack one of the APIs.
    catchPermanentFault(() => askJsonApi(origin, id)),
    catchPermanentFault(() => askSimple(origin, id.name)),
  ]);
  const json = api instanceof UpstreamError ? undefined : api;
  if (!json && simple instanceof UpstreamError) throw simple;
  if (!json && !simple) return refuseMissingName(`${origin.host} has no package ${id.name}`);
  const project = simple instanceof UpstreamError ? undefined : simple;
  const listed = project && { releases: readReleases(project) };
  const { files: all, deprecated, quarantined } = project ?? noProject;
  const release = joinApis(json, all, id);
  const missing = explainMissing(origin, id, { quarantined, hasRelease: release !== undefined });
  if (!release || missing !== undefined) {
    return { ...refuseMissingVersion('pypi', missing ?? '', findNewest(all)), ...listed };
  }
  const { info, files } = await complete(origin, release);
  const versionFiles = files.map(({ file }) => file);
  // Without an answer of one API, what the other one lacks may appear later.
  const listing =
    project && !(api instanceof UpstreamError)
      ? digestRelease(pickFiles(all, id.version), project)
      : undefined;
  const publishedAt = findEarliest(listTimes([...files, ...(json?.files ?? [])]));
  const facts = toFoundFacts('pypi', {
    ...readInfo(info),
    publishedAt,
    deprecated,
    yanked: readYanking(files),
    // Wheels run no code on installation; a build of a source archive may run any code.
    installScripts: versionFiles.some(({ filename }) => isGlobalScope(filename)) ? [] : undefined,
    provenance: findProvenance(files),
    newestVersion: findNewest(all),
  });
  return {
    facts,
    manifest: toManifest(versionFiles, info),
    details: readDetails(info, all, { publishedAt, facts }),
    ...(listing !== undefined && { listing }),
    ...listed,
  };
};

/** Returns the files of each version. */
const groupFiles = (files: readonly ProjectFile[]): ReadonlyMap<string, readonly ProjectFile[]> =>
  Map.groupBy(files, ({ version }) => canonicalizeVersion('pypi', version));

/** Fetches the page of a PyPI project from the Simple API as the list of its versions; undefined if the name is unknown. */
export const askPypiList: AskPackageList = async (origin, name, known) => {
  const found = await askChangedProject(origin, name, known);
  if (found === undefined || found === 'unchanged') return found;
  const { project, validator } = found;
  const files = groupFiles(project.files);
  return {
    validator,
    newestVersion: cleanVersion('pypi', findNewest(project.files)),
    releases: readReleases(project),
    digestOf: (version) =>
      digestRelease(files.get(canonicalizeVersion('pypi', version)) ?? [], project),
  };
};

/** Fetches the versions of a PyPI project from the Simple API; undefined if the name is unknown. */
export const listPypiReleases: ListReleases = async (origin, name) => {
  const project = await askSimple(origin, name);
  return (
    project && {
      releases: readReleases(project),
      firstPublishedAt: findEarliest(listTimes(project.files)),
    }
  );
};
