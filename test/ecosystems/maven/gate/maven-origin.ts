import {
  nameFile,
  toArtifactPath,
  toCoordinates,
  toFilePath,
} from '../../../../shared/ecosystems/maven/coordinates.ts';
import { digestAll } from '../../../../shared/util/checksums.ts';
import type { OriginServer } from '../../../support/origin-server.ts';

/** What a POM names. */
interface PomOptions {
  readonly parent?: string;
  readonly boms?: readonly string[];
  readonly packaging?: string;
  /** The endings of files besides, such as `-sources.jar`. */
  readonly files?: readonly string[];
}

const parse = (coordinates: string) => {
  const found = toCoordinates(...(coordinates.split(':') as [string, string, string]));
  if (!found) throw new Error(`${coordinates} are none`);
  return found;
};

const formatElements = (coordinates: string): string => {
  const { group, artifact, version } = parse(coordinates);
  return `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
};

const formatPom = (coordinates: string, { parent, boms = [], packaging }: PomOptions): string => {
  const imports = boms.map(
    (bom) => `<dependency>${formatElements(bom)}<type>pom</type><scope>import</scope></dependency>`,
  );
  return `<project><modelVersion>4.0.0</modelVersion>${parent ? `<parent>${formatElements(parent)}</parent>` : ''}
    ${formatElements(coordinates)}<packaging>${packaging ?? 'jar'}</packaging>
    <dependencyManagement><dependencies>${imports.join('')}</dependencies></dependencyManagement></project>`;
};

/** The path of a file of a version, below the repository's address. */
export const toPath = (coordinates: string, ending: string): string =>
  toFilePath(parse(coordinates), nameFile(parse(coordinates), ending));

/** The page on which a repository lists the files of a version. */
const listFiles = (coordinates: string, endings: readonly string[]): string =>
  [...endings, ...endings.map((ending) => `${ending}.sha1`)]
    .map((ending) => nameFile(parse(coordinates), ending))
    .map((name) => `<a href="${name}" title="${name}">${name}</a>  2024-01-01 00:00  123`)
    .join('\n');

/** Has a server publish a version as a repository of Maven does: a POM, and a jar where it is one, with their checksums. */
export const publishMaven = (
  origin: OriginServer,
  coordinates: string,
  options: PomOptions = {},
): ReturnType<typeof digestAll> => {
  const put = (ending: string, body: string) => {
    const sums = digestAll(Buffer.from(body));
    origin.serve(`/maven/${toPath(coordinates, ending)}`, { body });
    origin.serve(`/maven/${toPath(coordinates, ending)}.sha1`, { body: sums.sha1 ?? '' });
    return sums;
  };
  if (options.packaging !== 'pom') put('.jar', `the jar of ${coordinates}`);
  const { files = [] } = options;
  for (const ending of files) put(ending, `the ${ending} of ${coordinates}`);
  if (files.length > 0) {
    const folder = toPath(coordinates, '').replace(/[^/]*$/, '');
    const body = listFiles(coordinates, ['.pom', '.jar', ...files]);
    origin.serve(`/maven/${folder}`, { body });
  }
  const { artifact, group } = parse(coordinates);
  origin.serve(`/maven/${toArtifactPath({ group, artifact })}/maven-metadata.xml`, {
    body: '<metadata><versioning><release>9.9</release></versioning></metadata>',
  });
  return put('.pom', formatPom(coordinates, options));
};
