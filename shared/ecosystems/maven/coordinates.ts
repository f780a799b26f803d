import { matchesRule } from '../text-rule.ts';
import * as maven from './rules.ts';

/** What identifies one version of an artifact; as a text `group:artifact:version`. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** Coordinates out of what a POM says; undefined if a part is missing, or can be none. */
export const toCoordinates = (
  group: string | undefined,
  artifact: string | undefined,
  version: string | undefined,
): Coordinates | undefined => {
  if (!group || !artifact || !version) return undefined;
  const isValid =
    matchesRule(maven.name, `${group}:${artifact}`) && matchesRule(maven.version, version);
  return isValid ? { group, artifact, version } : undefined;
};

export const formatCoordinates = ({ group, artifact, version }: Coordinates): string =>
  `${group}:${artifact}:${version}`;

/** Where all versions of an artifact are, below the repository's address. */
export const toArtifactPath = ({
  group,
  artifact,
}: Pick<Coordinates, 'group' | 'artifact'>): string =>
  [...group.split('.'), artifact].map(encodeURIComponent).join('/');

/** Where a file of a version is: the name of its POM ends in `.pom`. */
export const toFilePath = (coordinates: Coordinates, name: string): string =>
  [toArtifactPath(coordinates), coordinates.version, name]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/');

export const nameFile = ({ artifact, version }: Coordinates, ending: string): string =>
  `${artifact}-${version}${ending}`;
