import { matchesRule } from '../text-rule.ts';
import * as maven from './rules.ts';

/** Identity of one artifact version, formatted as `group:artifact:version`. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** Returns coordinates from their parts; undefined if a part is missing or invalid. */
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

/** Returns the path of an artifact, relative to the repository's base address. */
export const toArtifactPath = ({
  group,
  artifact,
}: Pick<Coordinates, 'group' | 'artifact'>): string =>
  [...group.split('.'), artifact].map(encodeURIComponent).join('/');

/** Returns the path of a version's file, relative to the repository's base address. */
export const toFilePath = (coordinates: Coordinates, name: string): string =>
  [toArtifactPath(coordinates), coordinates.version, name]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/');

export const nameFile = ({ artifact, version }: Coordinates, ending: string): string =>
  `${artifact}-${version}${ending}`;
