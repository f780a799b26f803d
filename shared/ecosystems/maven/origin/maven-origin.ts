import type { CollectedRelease } from '../../../domain/facts/collected-facts.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import type { UpstreamRelease } from '../../../domain/packages/upstream-release.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type Origin, type OriginAnswer } from '../../origin/origin-http.ts';
import { type ListReleases, toReleases } from '../../origin/releases.ts';
import {
  type AskFor,
  cleanTime,
  listUnreadable,
  refuseMissingName,
  refuseMissingVersion,
  type Statements,
  toFoundFacts,
} from '../../origin/upstream-answer.ts';
import { type Coordinates, formatCoordinates, toArtifactPath } from '../coordinates.ts';
import { joinPomLicenses, listPomLicenses } from '../manifest/licenses.ts';
import { type PomLine, parseXml, readInherited, resolveProperties } from '../manifest/pom.ts';
import { askFiles } from './files.ts';
import { createAskPom, type FoundLine, followImports, followParents } from './poms.ts';
import { readManagedVersions, readMavenDetails } from './release-details.ts';

/** Upstream metadata of an artifact, for all its versions. */
interface ArtifactMetadata {
  /** All versions, in the order of their deployment. */
  readonly versions: readonly string[];
  readonly newest: string | undefined;
}

const maxMetadataBytes = 4 * 1024 * 1024;

/** Returns the `metadata` element of a response; undefined for any other document, such as a sign-in page. */
const parseMetadata = ({ bytes }: OriginAnswer): unknown => {
  try {
    return readAt(parseXml(bytes.toString()), 'metadata');
  } catch {
    return undefined;
  }
};

/** Fetches `maven-metadata.xml` of an artifact; undefined if the artifact does not exist. */
const askMetadata = async (
  { ask, host }: Origin,
  coordinates: Coordinates,
): Promise<ArtifactMetadata | undefined> => {
  const path = `${toArtifactPath(coordinates)}/maven-metadata.xml`;
  const request = { path, accept: 'application/xml, text/xml, */*', maxBytes: maxMetadataBytes };
  const answer = await ask(request);
  if (!answer) return undefined;
  const metadata = parseMetadata(answer);
  if (metadata === undefined) throw explainNonsense(host, answer);
  const versioning = readAt(metadata, 'versioning');
  const listed = [readAt(versioning, 'versions', 'version')].flat();
  const versions = listed.filter((one) => typeof one === 'string');
  const [release, latest] = ['release', 'latest'].map((name) => readTextAt(versioning, name));
  return { versions, newest: release || latest || versions.at(-1) };
};

const toIdCoordinates = ({ name, version }: Pick<PackageId, 'name' | 'version'>): Coordinates => {
  const [group = '', artifact = ''] = name.split(':');
  return { group, artifact, version };
};

/** Returns `Relocated to group:artifact:version` for a relocated version. Maven deprecates a version in this way. */
const readRelocation = (line: PomLine, own: Coordinates): string | undefined => {
  const relocation = readAt(line[0], 'distributionManagement', 'relocation');
  if (relocation === undefined) return undefined;
  const resolve = (name: string) => resolveProperties(line, readTextAt(relocation, name));
  const target = formatCoordinates({
    group: resolve('groupId') || own.group,
    artifact: resolve('artifactId') || own.artifact,
    version: resolve('version') || own.version,
  });
  const message = resolve('message');
  return message ? `Relocated to ${target}: ${message}` : `Relocated to ${target}`;
};

/** Returns the metadata from a POM and its parents. A parent's description is not inherited. */
const readStatements = ({ line, isComplete }: FoundLine, own: Coordinates): Statements => {
  const resolve = (text: string | undefined) => resolveProperties(line, text);
  const licenses = listPomLicenses(line);
  return {
    licenses: licenses.filter((license) => license !== undefined),
    license: joinPomLicenses(licenses) || undefined,
    // A parent that could not be read may declare one.
    declaresLicense: licenses.length > 0 || (isComplete ? false : undefined),
    description:
      resolve(readTextAt(line[0], 'description')) || resolve(readTextAt(line[0], 'name')),
    homepage: resolve(readInherited(line, 'url')),
    repository: resolve(
      readInherited(line, 'scm', 'url') ?? readInherited(line, 'scm', 'connection'),
    ),
    deprecated: readRelocation(line, own),
  };
};

/** Fetches the metadata of an artifact whose version is known: a permanent failure returns undefined. */
const askOptionalMetadata = async (
  origin: Origin,
  coordinates: Coordinates,
): Promise<ArtifactMetadata | undefined> => {
  const metadata = await catchPermanentFault(() => askMetadata(origin, coordinates));
  return metadata instanceof UpstreamError ? undefined : metadata;
};

/** Returns the versions of an artifact. Its metadata shows neither times nor withdrawals. */
const readReleases = ({ versions }: ArtifactMetadata): readonly UpstreamRelease[] =>
  toReleases(
    'maven',
    versions.map((version) => ({ version, publishedAt: null, isWithdrawn: false })),
  );

/** Returns the versions as part of a collected release; nothing if the metadata lists none. */
const toListed = (metadata: ArtifactMetadata | undefined): Pick<CollectedRelease, 'releases'> =>
  metadata && metadata.versions.length > 0 ? { releases: readReleases(metadata) } : {};

/** Fetches the upstream metadata of a version from Maven Central or another repository with the same layout. */
export const fetchMavenFacts: AskFor = async (origin, id) => {
  const coordinates = toIdCoordinates(id);
  const askPom = createAskPom(origin);
  const found = await askPom(coordinates);
  if (!found) {
    const artifact = await askMetadata(origin, coordinates);
    if (!artifact) return refuseMissingName(`${origin.host} has no artifact ${id.name}`);
    const reason = `${origin.host} has ${id.name}, but not ${id.version}`;
    return { ...refuseMissingVersion('maven', reason, artifact.newest), ...toListed(artifact) };
  }
  const lineage = await followParents(found.pom, askPom);
  const { line, parents } = lineage;
  const [boms, files, metadata] = await Promise.all([
    followImports(line, askPom),
    askFiles(origin, coordinates, line, found),
    askOptionalMetadata(origin, coordinates),
  ]);
  const managed = readManagedVersions(lineage);
  const statements = readStatements(lineage, coordinates);
  const facts = toFoundFacts('maven', {
    ...statements,
    publishedAt: found.answer.headers.get('Last-Modified'),
    // Maven runs no scripts when it downloads a jar.
    installScripts: [],
    newestVersion: metadata?.newest,
  });
  return {
    facts,
    manifest: { kind: 'maven', ...files, parents, boms },
    details: { ...readMavenDetails(lineage), ...listUnreadable(statements, facts) },
    ...(managed.length > 0 && { managed }),
    ...toListed(metadata),
  };
};

/** Returns when the POM of a version was published; null if the origin does not show it. */
const findPublication = async (
  origin: Origin,
  id: Pick<PackageId, 'name' | 'version'>,
): Promise<string | null> => {
  const found = await catchPermanentFault(() => createAskPom(origin)(toIdCoordinates(id)));
  return found instanceof UpstreamError
    ? null
    : cleanTime(found?.answer.headers.get('Last-Modified'));
};

/**
 * Fetches the versions of a Maven artifact; undefined if the artifact does not exist. The first publication is that of
 * the version that was deployed first.
 */
export const listMavenReleases: ListReleases = async (origin, name) => {
  const metadata = await askMetadata(origin, toIdCoordinates({ name, version: '' }));
  if (!metadata) return undefined;
  const [version] = metadata.versions;
  const isKnown = version !== undefined && isPackageVersion('maven', version);
  return {
    releases: readReleases(metadata),
    firstPublishedAt: isKnown ? await findPublication(origin, { name, version }) : null,
  };
};
