import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import {
  canonicalizeName,
  foldName,
  isPackageName,
} from '../../../shared/domain/packages/package-name.ts';
import {
  canonicalizeVersion,
  foldVersion,
  isPackageVersion,
} from '../../../shared/domain/packages/package-version.ts';
import { readPurl } from '../../../shared/domain/packages/purl.ts';
import { readImageReference } from '../../../shared/ecosystems/docker/image-reference.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';

const ecosystem = fc.constantFrom(...ecosystems);
const namePart = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?$/);
const name = fc.oneof(
  namePart,
  namePart.map((part) => `docker.io/library/${part}`),
  fc.tuple(namePart, namePart).map(([scope, part]) => `@${scope}/${part}`),
  fc.tuple(namePart, namePart).map(([group, part]) => `${group}:${part}`),
);
const version = fc.stringMatching(
  /^v?[0-9]{1,2}(\.[0-9]{1,2}){0,2}([-._]?(a|b|rc|alpha|post|dev)[-._]?[0-9]?)?(\+[a-z0-9]{1,3})?$/,
);

it('never separates names that are equal in an ecosystem', () => {
  fc.assert(
    fc.property(ecosystem, name, (of, written) => {
      fc.pre(isPackageName(of, written));

      expect(foldName(canonicalizeName(of, written))).toBe(foldName(written));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it('never separates versions that are equal in an ecosystem', () => {
  fc.assert(
    fc.property(ecosystem, version, (of, written) => {
      fc.pre(isPackageVersion(of, written));

      expect(foldVersion(canonicalizeVersion(of, written))).toBe(foldVersion(written));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it('leaves a valid name as it is when it is decoded once more', () => {
  fc.assert(
    fc.property(ecosystem, name, (of, written) => {
      fc.pre(isPackageName(of, written));

      expect(decodeURIComponent(written)).toBe(written);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

/** Names of images of few parts, so that many are equal, or would be if more of them were dropped. */
const imageName = fc
  .array(
    fc.constantFrom(
      ...['docker.io', 'index.docker.io', 'registry-1.docker.io', 'ghcr.io', 'localhost'],
      ...['localhost:5000', 'library', 'a', 'nginx'],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('/'))
  .filter((written) => isPackageName('docker', written));

/** The whole name of an image, as Docker completes it (distribution/reference, ParseNormalizedNamed). */
const completeImageName = (written: string): string => {
  const [first = '', ...rest] = written.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = isHost
    ? first.replace(/^(index|registry-1)\.docker\.io$/, 'docker.io')
    : 'docker.io';
  const path = isHost ? rest.join('/') : written;
  return host === 'docker.io' && !path.includes('/')
    ? `${host}/library/${path}`
    : `${host}/${path}`;
};

const toImageKey = (written: string, version = '1'): string =>
  toVersionKey({ ecosystem: 'docker', name: written, version });

it('gives two names of images one key exactly if Docker takes them for one', () => {
  fc.assert(
    fc.property(imageName, imageName, (one, other) => {
      const isOne = completeImageName(one) === completeImageName(other);

      expect(toImageKey(one) === toImageKey(other)).toBe(isOne);
      expect(canonicalizeName('docker', canonicalizeName('docker', one))).toBe(
        canonicalizeName('docker', one),
      );
    }),
    { numRuns: 5000, seed: 1 },
  );
});

const digest = `sha256:${'a'.repeat(64)}`;

it('gives an image the key of its submission in pods, Dockerfiles and package URLs', () => {
  fc.assert(
    fc.property(imageName, (written) => {
      const tagged = readImageReference(`${written}:1`);
      const pinned = readImageReference(`${written}:1@${digest}`);
      const complete = completeImageName(written);
      const [, host = '', path = ''] = /^([^/]+)\/(.+)$/.exec(complete) ?? [];
      const purls = [
        `pkg:docker/${path}@1?repository_url=${encodeURIComponent(host)}`,
        `pkg:oci/${complete.replace(/^.*\//, '')}?tag=1&repository_url=${encodeURIComponent(complete)}`,
      ];

      expect(toImageKey(tagged.name, tagged.version)).toBe(toImageKey(written));
      expect(toImageKey(pinned.name, pinned.version)).toBe(toImageKey(written, digest));
      for (const purl of purls) {
        // A component that looks like a host and a port is no part of a path.
        fc.pre(isPackageName('docker', complete));
        expect(toImageKey(readPurl(purl)?.name ?? purl)).toBe(toImageKey(written));
      }
    }),
    { numRuns: 2000, seed: 1 },
  );
});
