import type { Release } from '../domain/changes/release.ts';
import { listImageAttributes } from './docker/manifest/image-attributes.ts';
import type { Ecosystem } from './ecosystem.ts';
import { listCommonAttributes, type StoredRelease } from './manifest/common-attributes.ts';
import { listMavenAttributes } from './maven/manifest/maven-attributes.ts';
import { listNpmAttributes } from './npm/manifest/npm-attributes.ts';
import { listPypiAttributes } from './pypi/manifest/pypi-attributes.ts';

/** Returns the attributes by which a version can be compared with another one of its package. */
export const describeRelease = (ecosystem: Ecosystem, release: StoredRelease): Release => {
  switch (ecosystem) {
    case 'npm':
      return listNpmAttributes(release);
    case 'pypi':
      return listPypiAttributes(release);
    case 'maven':
      return listMavenAttributes(release);
    case 'docker':
      return listImageAttributes(release);
    default:
      return listCommonAttributes(release);
  }
};
