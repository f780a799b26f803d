import { RegistryError } from '../../../domain/errors.ts';
import type { MavenFile } from '../../../domain/facts/manifest.ts';
import { type FileRules, locateFile } from '../../../domain/packages/file-places.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { listApproved } from '../../../storage/packages/approved-versions.ts';
import type { PackageItem } from '../../../storage/packages/package-item.ts';
import { findPomChecksums } from '../../../storage/poms/pom-rows.ts';
import { type Checksums, digest } from '../../../util/checksums.ts';
import { decodeUri } from '../../../util/decode-uri.ts';
import { findApproved, readManifest } from '../../gate/find-pinned.ts';
import { refuseFile, refusePackage, refuseUnpinned, refuseVersion } from '../../gate/refusal.ts';
import { unsafeInPath } from '../../text-rule.ts';
import { type Coordinates, formatCoordinates } from '../coordinates.ts';
import { dropSignature } from '../version-files.ts';
import { makeMetadata } from './maven-metadata.ts';
import { isPom, isSnapshot, type MavenRequest, readMavenRequest } from './request.ts';

interface MavenContext {
  /** Where files come from. */
  readonly files: FileRules;
  /** Whether what is asked for as a plugin passes unchecked. */
  readonly passesPlugins: boolean;
  readonly now: Date;
}

/** The address of a file, or a text with its media type. */
export type MavenAnswer =
  | { readonly location: string }
  | { readonly text: string; readonly contentType: string };

type FileRequest = Extract<MavenRequest, { readonly kind: 'file' }>;

/** Where a file of the origin is to be had: made by the gate, whatever the origin once said. */
const toLocation = (path: string, { files }: MavenContext): string => {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const address = `${files.origin.replace(/\/$/, '')}/${encoded}`;
  return locateFile(address, files) ?? address;
};

const refuseUnserved = (): RegistryError =>
  new RegistryError('route_not_found', 'The gate does not serve this.');

const toId = ({ group, artifact, version }: Coordinates): PackageId => ({
  ...{ ecosystem: 'maven', name: `${group}:${artifact}`, version },
});

/** The checksums of a POM without which an approved version cannot be read. */
const findNeededPom = async ({ coordinates, file }: FileRequest): Promise<Checksums | undefined> =>
  isPom(coordinates, file) ? findPomChecksums(formatCoordinates(coordinates)) : undefined;

/**
 * Returns what was pinned of a file of an approved version, or of the file that it signs.
 * @throws {RegistryError} `not_approved` where its version had no such file when it was approved
 */
const selectPinnedFile = async (item: PackageItem, { file }: FileRequest): Promise<MavenFile> => {
  const { files } = await readManifest('maven', item);
  const signed = dropSignature(file);
  const pinned = files.find(({ name }) => name === signed);
  if (!pinned) throw refuseFile(item, file);
  return pinned;
};

/** @throws {RegistryError} where a file is neither pinned with an approved version nor a POM that one needs */
const checkFile = async (request: FileRequest, { now }: MavenContext): Promise<void> => {
  // Builds ask for more POMs of parents than of what they use, and a row costs half of what a version does.
  if (await findNeededPom(request)) return;
  const id = toId(request.coordinates);
  const item = await findApproved(id, now);
  if (!item) throw await refuseVersion(id, now);
  await selectPinnedFile(item, request);
};

/** What was pinned of a file: where it is of an approved version, what that says goes before what others saw of it. */
const findChecksums = async (request: FileRequest, { now }: MavenContext): Promise<Checksums> => {
  const id = toId(request.coordinates);
  const item = await findApproved(id, now);
  if (item?.pinned) {
    const { name, checksums } = await selectPinnedFile(item, request);
    return name === request.file ? checksums : {};
  }
  const needed = await findNeededPom(request);
  if (needed) return needed;
  throw item ? refuseUnpinned(id) : await refuseVersion(id, now);
};

const readChecksum = async (request: FileRequest, context: MavenContext): Promise<string> => {
  const { checksum, file } = request;
  // Maven takes what is not there for unknown, and fails only where it is told to be strict.
  const pinned = checksum && (await findChecksums(request, context))[checksum];
  if (pinned !== undefined) return pinned;
  throw new RegistryError('route_not_found', `No ${checksum} of ${file} is pinned.`);
};

const serveMetadata = async (name: string, { now }: MavenContext): Promise<string> => {
  const all = await listApproved({ ecosystem: 'maven', name }, now);
  const approved = all.filter(({ version }) => !isSnapshot(version));
  const [newest] = approved;
  const pinned = approved.filter((item) => item.pinned);
  if (pinned.length === 0) throw await refusePackage({ ecosystem: 'maven', name }, newest, now);
  return makeMetadata(name, pinned);
};

const plugins = /^-\/plugins\//;

/** What is asked for as a plugin is known by nothing but the address at which it is asked for. */
const passPlugin = (path: string, context: MavenContext): MavenAnswer => {
  const isPath = path.split('/').every((part) => part !== '' && part !== '.');
  if (!isPath || unsafeInPath.test(path)) throw refuseUnserved();
  return { location: toLocation(path, context) };
};

/** Answers what Maven asks, by what is approved at this moment. */
export const serveMaven = async (given: string, context: MavenContext): Promise<MavenAnswer> => {
  const plain = decodeUri(given);
  const path = plain.replace(plugins, '');
  if (context.passesPlugins && path !== plain) return passPlugin(path, context);
  const request = readMavenRequest(path);
  if (!request) throw refuseUnserved();
  const { checksum } = request;
  if (request.kind === 'metadata') {
    const text = await serveMetadata(request.name, context);
    return checksum
      ? { text: digest(checksum, text), contentType: 'text/plain' }
      : { text, contentType: 'application/xml' };
  }
  if (checksum) return { text: await readChecksum(request, context), contentType: 'text/plain' };
  await checkFile(request, context);
  return { location: toLocation(path, context) };
};
