import { RegistryError } from '../../../domain/errors.ts';
import type { MavenFile } from '../../../domain/facts/manifest.ts';
import { locateFile } from '../../../domain/packages/file-places.ts';
import type { PackageId, PackageName } from '../../../domain/packages/package-id.ts';
import { listApproved } from '../../../storage/packages/approved-versions.ts';
import type { PackageItem } from '../../../storage/packages/package-item.ts';
import { findPack, type Pack } from '../../../storage/packs/find-pack.ts';
import { findPomChecksums } from '../../../storage/poms/pom-rows.ts';
import { dropFrozen } from '../../../storage/reviews/freeze.ts';
import { type Checksums, digest } from '../../../util/checksums.ts';
import { decodeUri } from '../../../util/decode-uri.ts';
import { listInPack } from '../../gate/approved.ts';
import { findApproved, readManifest } from '../../gate/find-pinned.ts';
import { findListState, type KnownState, type ListAnswer } from '../../gate/list-state.ts';
import {
  type GateContext,
  refuseFile,
  refuseOwn,
  refusePackage,
  refuseUnpinned,
  refuseVersion,
} from '../../gate/refusal.ts';
import { unsafeInPath } from '../../text-rule.ts';
import { type Coordinates, formatCoordinates } from '../coordinates.ts';
import { dropSignature } from '../version-files.ts';
import { makeMetadata } from './maven-metadata.ts';
import { isPom, isSnapshot, type MavenRequest, readMavenRequest } from './request.ts';

interface MavenContext extends GateContext, KnownState {
  /** True if plugin requests pass without a check. */
  readonly passesPlugins: boolean;
}

/** The URL of a file, or a text with its media type. The text of a list has its state. */
export type MavenAnswer =
  | { readonly location: string }
  | (ListAnswer<string> & { readonly contentType: string });

type FileRequest = Extract<MavenRequest, { readonly kind: 'file' }>;

/** Returns the URL of a file at the origin. The gate builds it and uses no URL from upstream metadata. */
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

/** Returns the checksums of a POM that an approved version needs, as a parent or BOM; undefined for other files. */
const findNeededPom = async (
  { coordinates, file }: FileRequest,
  { freeze }: MavenContext,
): Promise<Checksums | undefined> =>
  isPom(coordinates, file) ? findPomChecksums(formatCoordinates(coordinates), freeze) : undefined;

/**
 * Returns the pinned file of an approved version; for a signature, the file that it signs.
 * @throws {RegistryError} `not_approved` if the version had no such file when it was approved
 */
const selectPinnedFile = async (item: PackageItem, { file }: FileRequest): Promise<MavenFile> => {
  const { files } = await readManifest('maven', item);
  const signed = dropSignature(file);
  const pinned = files.find(({ name }) => name === signed);
  if (!pinned) throw refuseFile(item, file);
  return pinned;
};

/** @throws {RegistryError} if a file is neither pinned with an approved version nor a POM that one needs */
const checkFile = async (request: FileRequest, context: MavenContext): Promise<void> => {
  // Builds request more parent POMs than POMs of dependencies. This lookup also costs half of a version lookup.
  if (await findNeededPom(request, context)) return;
  const id = toId(request.coordinates);
  const item = await findApproved(id, context);
  if (!item) throw await refuseVersion(id, context);
  await selectPinnedFile(item, request);
};

/** Returns the pinned checksums of a file. The manifest of its own approved version precedes a needed POM's record. */
const findChecksums = async (request: FileRequest, context: MavenContext): Promise<Checksums> => {
  const id = toId(request.coordinates);
  const item = await findApproved(id, context);
  if (item?.pinned) {
    const { name, checksums } = await selectPinnedFile(item, request);
    return name === request.file ? checksums : {};
  }
  const needed = await findNeededPom(request, context);
  if (needed) return needed;
  throw item ? refuseUnpinned(id) : await refuseVersion(id, context);
};

const readChecksum = async (request: FileRequest, context: MavenContext): Promise<string> => {
  const { checksum, file } = request;
  // Maven ignores a missing checksum, unless its checksum policy is strict.
  const pinned = checksum && (await findChecksums(request, context))[checksum];
  if (pinned !== undefined) return pinned;
  throw new RegistryError('route_not_found', `No ${checksum} of ${file} is pinned.`);
};

/** Media type of lists of versions. */
export const metadataType = 'application/xml';

/** Returns the list of an artifact's versions, and its state. */
const makeList = async (
  id: PackageName,
  pack: Pack | undefined,
  context: MavenContext,
): Promise<{ readonly document: string; readonly state: string | undefined }> => {
  const packed = await listInPack(pack, context);
  const all = packed ?? (await dropFrozen(await listApproved(id, context.now), context.freeze));
  const approved = all.filter(({ version }) => !isSnapshot(version));
  const [newest] = approved;
  const pinned = approved.filter((item) => item.pinned);
  if (pinned.length === 0) throw await refusePackage(id, newest, context);
  const state = packed && findListState([pack], context);
  return { document: makeMetadata(id.name, pinned), state };
};

const toText = (document: string) =>
  ({ document, state: undefined, contentType: 'text/plain' }) as const;

/** Returns the list of an artifact's versions, or its checksum. Two calls, or one for a client whose copy is current. */
const serveMetadata = async (
  { name, checksum }: Extract<MavenRequest, { kind: 'metadata' }>,
  context: MavenContext,
): Promise<MavenAnswer> => {
  const id = { ecosystem: 'maven', name } as const;
  const pack = await findPack(id);
  if (checksum) return toText(digest(checksum, (await makeList(id, pack, context)).document));
  const state = findListState([pack], context);
  if (state !== undefined && context.isKnown?.(state)) {
    return { unchanged: state, contentType: metadataType };
  }
  return { ...(await makeList(id, pack, context)), contentType: metadataType };
};

const plugins = /^-\/plugins\//;

/** Lists every package that a path may be of: each of its folders may be an artifact, below its group. */
const listNames = (parts: readonly string[]): string[] =>
  parts.slice(1).map((artifact, at) => `${parts.slice(0, at + 1).join('.')}:${artifact}`);

/**
 * Returns the location of a plugin file without a check, except for own packages. Only the request path identifies a plugin
 * request.
 */
const passPlugin = (path: string, context: MavenContext): MavenAnswer => {
  const parts = path.split('/');
  const isPath = parts.every((part) => part !== '' && part !== '.');
  if (!isPath || unsafeInPath.test(path)) throw refuseUnserved();
  for (const name of listNames(parts)) refuseOwn(context.own, { ecosystem: 'maven', name });
  return { location: toLocation(path, context) };
};

/** Answers a request of Maven, based on the versions that are approved at `context.now`. */
export const serveMaven = async (given: string, context: MavenContext): Promise<MavenAnswer> => {
  const plain = decodeUri(given);
  const path = plain.replace(plugins, '');
  // The publication time of a plugin that passes is unknown, so that a freeze requires its approval.
  if (context.passesPlugins && !context.freeze && path !== plain) return passPlugin(path, context);
  const request = readMavenRequest(path);
  if (!request) throw refuseUnserved();
  const { checksum } = request;
  const name = request.kind === 'metadata' ? request.name : toId(request.coordinates).name;
  refuseOwn(context.own, { ecosystem: 'maven', name });
  if (request.kind === 'metadata') return serveMetadata(request, context);
  if (checksum) return toText(await readChecksum(request, context));
  await checkFile(request, context);
  return { location: toLocation(path, context) };
};
