import { RegistryError } from '../../../domain/errors.ts';
import { findIntegrity } from '../../../domain/facts/npm-integrity.ts';
import { locateFile } from '../../../domain/packages/file-places.ts';
import { formatPackage } from '../../../domain/packages/format-package.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { listApproved } from '../../../storage/packages/approved-versions.ts';
import { dropFrozen } from '../../../storage/reviews/freeze.ts';
import { runInParallel } from '../../../util/in-parallel.ts';
import { readTextAt } from '../../../util/json.ts';
import { listServed } from '../../gate/approved.ts';
import { findPinned } from '../../gate/find-pinned.ts';
import {
  type GateContext,
  refuseOwn,
  refusePackage,
  refusePlace,
  refuseUnchecked,
} from '../../gate/refusal.ts';
import { keysPath } from '../registry-paths.ts';
import { makePackument } from './approved-packument.ts';
import { listOptionalNames } from './installable.ts';
import { readNpmRequest } from './request.ts';

const parallelReads = 10;

interface NpmContext extends GateContext {
  /** URL of the gate, without a trailing slash. */
  readonly base: string;
}

/** Returns the approved, pinned versions of an optional package; none if the request's read budget is spent. */
const listPinned = async (name: string, { now, freeze }: NpmContext): Promise<string[]> => {
  try {
    const found = await listApproved({ ecosystem: 'npm', name }, now);
    const served = await dropFrozen(found, freeze);
    return served.filter((item) => item.pinned).map(({ version }) => version);
  } catch (error) {
    if (isTooMuchToRead(error)) return [];
    throw error;
  }
};

const servePackument = async (name: string, context: NpmContext): Promise<object> => {
  const asked = { ecosystem: 'npm', name } as const;
  const { newest, served } = await listServed('npm', asked, context);
  const optional = listOptionalNames(served.map(({ manifest }) => manifest.version));
  const approved = await runInParallel(optional, parallelReads, async (one) => {
    return [one, await listPinned(one, context)] as const;
  });
  const packument = makePackument(name, served, {
    base: context.base,
    approved: new Map(approved),
  });
  if (!packument) throw await refusePackage(asked, newest, context);
  return packument;
};

/** @throws {RegistryError} if files of the version may not be at this address */
const locate = (id: PackageId, address: string, { files }: NpmContext): string => {
  const located = locateFile(address, files);
  if (located === undefined) throw refusePlace(id);
  return located;
};

/**
 * Returns the URL from which clients download the tarball of an approved version.
 * @throws {RegistryError} if the version is not approved, its tarball has no integrity, or the location is not allowed
 */
const findTarball = async (id: PackageId, context: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, context);
  const { dist } = version;
  if (!findIntegrity(dist)) throw refuseUnchecked(id);
  return locate(id, readTextAt(dist, 'tarball') ?? '', context);
};

/**
 * Returns the URL from which clients download the attestations of an approved version.
 * @throws {RegistryError} if the version is not approved or has no attestations, or the location is not allowed
 */
const findAttestations = async (id: PackageId, context: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, context);
  const address = readTextAt(version, 'dist', 'attestations', 'url');
  if (address) return locate(id, address, context);
  throw new RegistryError('route_not_found', `${formatPackage(id)} has no attestations.`);
};

/**
 * Returns the packument, or the URL of a tarball, of attestations or of the origin's keys, for a request of an npm client.
 * Only currently approved versions are served.
 * @throws {RegistryError} if the gate does not serve the path, or nothing suitable is approved
 */
export const serveNpm = async (
  path: string,
  context: NpmContext,
): Promise<{ readonly document: object } | { readonly location: string }> => {
  const request = readNpmRequest(path, context.base);
  if (!request) throw new RegistryError('route_not_found', 'The gate does not serve this.');
  if (request.kind === 'ping') return { document: {} };
  if (request.kind === 'keys') {
    return { location: `${context.files.origin.replace(/\/$/, '')}/${keysPath}` };
  }
  const { kind, name } = request;
  refuseOwn(context.own, { ecosystem: 'npm', name });
  if (kind === 'packument') return { document: await servePackument(name, context) };
  const id = { ecosystem: 'npm', name, version: request.version } as const;
  const find = kind === 'tarball' ? findTarball : findAttestations;
  return { location: await find(id, context) };
};
