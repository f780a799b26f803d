import type { Release } from '../domain/changes/release.ts';
import { listImageAttributes } from './docker/manifest/image-attributes.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { StoredRelease } from './manifest/common-attributes.ts';
import { listMavenAttributes } from './maven/manifest/maven-attributes.ts';
import { listNpmAttributes } from './npm/manifest/npm-attributes.ts';
import { listPypiAttributes } from './pypi/manifest/pypi-attributes.ts';

const attributes: Readonly<Record<Ecosystem, (release: StoredRelease) => Release>> = {
  pypi: listPypiAttributes,
  npm: listNpmAttributes,
  maven: listMavenAttributes,
  docker: listImageAttributes,
};

/** Returns the attributes by which a version can be compared with another one of its package. */
export const describeRelease = (ecosystem: Ecosystem, release: StoredRelease): Release =>
  attributes[ecosystem](release);
