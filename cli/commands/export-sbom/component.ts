import {
  ComponentType,
  ExternalReferenceType,
  HashAlgorithm,
} from '@cyclonedx/cyclonedx-library/Enums';
import {
  Component,
  ExternalReference,
  ExternalReferenceRepository,
  HashDictionary,
  LicenseExpression,
  LicenseRepository,
  NamedLicense,
  Property,
  PropertyRepository,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models';
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX';
import {
  type HashAlgorithm as Algorithm,
  parseFileHashes,
} from '../../../shared/domain/packages/file-hash.ts';
import { formatPurl } from '../../../shared/domain/packages/format-purl.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { isFileEcosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { purlNames } from '../../../shared/ecosystems/rules.ts';
import type { SbomFile, SbomLicense, SbomVersion } from './sbom-version.ts';

const algorithms: Partial<Record<Algorithm, HashAlgorithm>> = {
  md5: HashAlgorithm.MD5,
  sha1: HashAlgorithm['SHA-1'],
  sha256: HashAlgorithm['SHA-256'],
  sha384: HashAlgorithm['SHA-384'],
  sha512: HashAlgorithm['SHA-512'],
};

const toHashes = ({ digest }: SbomFile): HashDictionary =>
  new HashDictionary(
    parseFileHashes(digest).flatMap(({ algorithm, hex }) => {
      const known = algorithms[algorithm];
      return known ? [[known, hex] as const] : [];
    }),
  );

const toLicense = ({ text, isExpression }: SbomLicense) => {
  if (isSupportedSpdxId(text)) return new SpdxLicense(text);
  return isExpression ? new LicenseExpression(text) : new NamedLicense(text);
};

/** Returns the group and the name that CycloneDX shows, such as `org.slf4j` and `slf4j-api`. */
const splitName = ({ ecosystem, name }: PackageId): { group?: string; name: string } => {
  // The name of an image begins with its host, which is no group.
  if (!isFileEcosystem(ecosystem)) return { name };
  const { namespace, name: own } = purlNames[ecosystem](name);
  return namespace === undefined ? { name: own } : { group: namespace, name: own };
};

/** Files of a version with several of them are downloads with a digest of their own. */
const toDownloads = (files: readonly SbomFile[]): ExternalReference[] =>
  files.flatMap((file) =>
    file.url === null
      ? []
      : new ExternalReference(file.url, ExternalReferenceType.Distribution, {
          hashes: toHashes(file),
          comment: file.file,
        }),
  );

/** Properties have the prefix of the registry, which no taxonomy of CycloneDX uses. */
const toProperties = ({ direct, status }: SbomVersion): Property[] => [
  new Property('package-registry:status', status),
  ...(direct === null ? [] : [new Property('package-registry:direct', String(direct))]),
];

/**
 * Returns the component of a version. The hash of its only file is the hash of the component. An image has no hash, since
 * its digest belongs to one platform or to its index.
 */
export const toComponent = (version: SbomVersion): Component => {
  const { ecosystem, license } = version;
  const isPackage = isFileEcosystem(ecosystem);
  const files = isPackage ? version.files : [];
  const purl = formatPurl(version);
  const [only, ...others] = files;
  const { name, ...group } = splitName(version);
  return new Component(isPackage ? ComponentType.Library : ComponentType.Container, name, {
    ...group,
    ...{ version: version.version, purl, bomRef: purl },
    ...(license && { licenses: new LicenseRepository([toLicense(license)]) }),
    ...(only && others.length === 0
      ? { hashes: toHashes(only) }
      : { externalReferences: new ExternalReferenceRepository(toDownloads(files)) }),
    properties: new PropertyRepository(toProperties(version)),
  });
};
